// Hadoop's own Configuration, as the user's files and settings have it, with limits on how long a
// server is waited for that does not answer.
//
// Threads: any attached one, within a Frame.
#pragma once

#include "targets/hadoop/config.h"
#include "targets/hadoop/jni_calls.h"

namespace loadline::targets::hadoop {

Called<jobject> make_configuration(Calls& calls, const Config& config);

}  // namespace loadline::targets::hadoop
