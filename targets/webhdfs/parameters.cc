// The table of the webhdfs target's parameters.
#include "targets/webhdfs/config.h"

namespace loadline::targets::webhdfs {

std::vector<target::ParameterSpec> parameter_table() {
  return {
      {"uri", "",
       "webhdfs://host:port, or swebhdfs:// for TLS; several NameNodes of one cluster with commas "
       "between"},
      {"root", "/benchmarks/loadline", "folder that the containers are in"},
      {"user", "", "user.name; default: HADOOP_USER_NAME, else the user of this process"},
      {"doas", "", "the user to act for, where `user` may do so"},
      {"token", "", "delegation token; sent instead of user.name", true},
      {"httpfs", "false", "the server is an HttpFS gateway: data goes to it in one step"},
      {"noredirect", "false", "ask for DataNodes by noredirect=true instead of following a 307"},
      {"resolve", "",
       "NAME:PORT=ADDRESS:PORT, with commas between: where to connect for hosts that cannot be "
       "resolved here; either port may be left out"},
      {"block_size", "", "bytes of a block of files written; default: the cluster's"},
      {"replication", "", "replicas of files written; default: the cluster's"},
      {"permission", "", "octal permission of files and folders made; default: the cluster's"},
      {"overwrite", "true", "writing replaces a file that is there"},
      {"timeout", "60000", "ms without a byte moved either way before an operation fails; 0: none"},
      {"connect_timeout", "", "ms to connect, TLS included; default: timeout"},
      {"no_verify_ssl", "false", "accept any server certificate"},
      {"ca_file", "", "PEM file of CA certificates to trust instead of the system's"},
      {"cert_file", "", "PEM file of our own certificate, for servers that ask for one"},
      {"key_file", "", "PEM file of its key; default: in cert_file"},
      {"retry", "0",
       "attempts after the first, with growing pauses; counted. Also where a file's lease is not "
       "free yet"},
  };
}

}  // namespace loadline::targets::webhdfs
