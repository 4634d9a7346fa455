// `loadline serve-s3`: runs the built-in store until SIGINT or SIGTERM.
#pragma once

namespace loadline::app {

// argv[0] is the subcommand's name. Prints "listening on http://..." on stdout when it serves, and
// its counters on stderr at the end. Secrets given by --key are overwritten in argv. Returns the
// exit status: 0 stopped by a signal, or --help; 2 bad options, or the port is taken.
int run_serve_s3(int argc, char** argv);

}  // namespace loadline::app
