// Warnings about words that mean nothing and look like a slip of the hand. Everything else unknown
// is ignored in silence, as COSBench does: people do write ratio= on a work.
#pragma once

#include <string>

#include "dialects/cosbench/config_text.h"
#include "dialects/cosbench/document.h"
#include "dialects/cosbench/findings.h"

namespace loadline::dialects::cosbench {

// On the attributes and children of one element.
void advise_on_words(const Document& document, pugi::xml_node node, const std::string& where,
                     Findings& findings);
// On the keys of its config.
void advise_on_keys(pugi::xml_node node, const ConfigText& config, const std::string& where,
                    Findings& findings);

}  // namespace loadline::dialects::cosbench
