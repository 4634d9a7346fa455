// HDFS over HTTP for tests: a NameNode and a DataNode in memory, on two ports, with the manners of
// the real ones (two steps, RemoteExceptions under 403, a DataNode that closes after each answer).
// A test may answer single requests in their place. Never part of the product.
//
// Threads: the servers' connections run on threads of their own; the rest may be called from any.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/scripted_server.h"
#include "targets/webhdfs/seen_request.h"

namespace loadline::targets::webhdfs {

inline std::string exception_json(std::string_view name, std::string_view message) {
  return R"({"RemoteException":{"exception":")" + std::string(name) +
         R"(","javaClassName":"org.apache.hadoop.x.)" + std::string(name) + R"(","message":")" +
         std::string(message) + R"("}})";
}

class WebhdfsDouble {
 public:
  using Connection = net::ScriptedServer::Connection;
  // Answers in place of the double, and says that it has; else the double does.
  using Hook = std::function<bool(Connection&, const SeenRequest&)>;
  struct Options {
    bool pages = true;             // knows LISTSTATUS_BATCH
    std::size_t page_size = 10;    // of a listing
    bool false_truncates = false;  // and cuts the file a moment later
    bool gateway = false;          // HttpFS: it gives the data itself
    std::string data_host = "127.0.0.1";
  };

  WebhdfsDouble() : WebhdfsDouble(Options{}) {}
  explicit WebhdfsDouble(Options options, Hook hook = {})
      : options_(std::move(options)),
        hook_(std::move(hook)),
        data_node_([this](Connection& c) { serve(c, true); }),
        name_node_([this](Connection& c) { serve(c, false); }) {}

  std::string uri() const { return "webhdfs://127.0.0.1:" + port_of(name_node_); }
  std::string data_port() const { return port_of(data_node_); }
  int name_node_connections() const { return name_node_.connections(); }
  int data_node_connections() const { return data_node_.connections(); }

  void put(const std::string& path, std::string data) {
    const std::lock_guard lock(mutex_);
    make_folders(path.substr(0, path.rfind('/')));
    nodes_[path] = {.folder = false, .data = std::move(data), .cut_to = {}};
  }
  void put_folder(const std::string& path) {
    const std::lock_guard lock(mutex_);
    make_folders(path);
  }
  // Its bytes; nothing where there is no such file.
  std::optional<std::string> file(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find(path);
    if (found == nodes_.end() || found->second.folder) return std::nullopt;
    return found->second.data;
  }
  std::vector<SeenRequest> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  std::vector<std::string> seen_ops(bool at_data_node) const {
    std::vector<std::string> ops;
    for (const SeenRequest& request : seen()) {
      if (request.at_data_node == at_data_node) ops.push_back(request.op());
    }
    return ops;
  }

 private:
  struct Response {
    int status = 200;
    std::string body = {};
    std::string headers = {};
  };
  struct Node {
    bool folder = false;
    std::string data;
    std::optional<std::size_t> cut_to;  // of a truncate under way
  };

  static std::string port_of(const net::ScriptedServer& server) {
    return std::to_string(server.port());
  }
  void serve(Connection& c, bool at_data_node) {
    for (;;) {
      SeenRequest request;
      request.head = c.read_head();
      if (request.head.empty()) return;
      request.at_data_node = at_data_node;
      request.connection = c.number();
      parse_head(request);
      // A real one says so before it looks at the request.
      const bool takes = request.op() == "CREATE" || request.op() == "APPEND";
      if (at_data_node && takes) c.send("HTTP/1.1 100 Continue\r\n\r\n");
      read_body(c, request);
      {
        const std::lock_guard lock(mutex_);
        seen_.push_back(request);
      }
      if (hook_ && hook_(c, request)) continue;
      if (!request.whole) return;
      const Response response = respond(request);
      c.answer(response.status, response.body, response.headers);
      if (at_data_node) return;
    }
  }

  Response respond(const SeenRequest& request) {
    const std::lock_guard lock(mutex_);
    const bool at_once =
        request.get("data") == "true" || (options_.gateway && request.op() == "OPEN");
    return request.at_data_node || at_once ? answer_data(request) : answer_call(request);
  }

  // Everything below with the lock held.
  void make_folders(const std::string& path) {
    for (std::size_t at = 0; at < path.size();) {
      at = std::min(path.find('/', at + 1), path.size());
      nodes_.try_emplace(path.substr(0, at), Node{.folder = true, .data = {}, .cut_to = {}});
    }
  }

  static Response refusal(int status, std::string_view name, std::string_view message) {
    return {status, exception_json(name, message), "Content-Type: application/json\r\n"};
  }
  static Response truth(bool value) {
    return {.body = value ? R"({"boolean":true})" : R"({"boolean":false})"};
  }
  static std::string status_json(const std::string& name, const Node& node) {
    return R"({"length":)" + std::to_string(node.data.size()) + R"(,"pathSuffix":")" +
           escaped(name) + R"(","type":")" + (node.folder ? "DIRECTORY" : "FILE") + R"("})";
  }
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
    return out;
  }

  Response answer_call(const SeenRequest& r) {
    const auto node = nodes_.find(r.path);
    const bool is_there = node != nodes_.end() || r.path == "/";
    const std::string op = r.op();
    if (op == "RENAME") return truth(rename(r.path, r.get("destination")));
    if (op == "MKDIRS") {
      if (is_there && r.path != "/" && !node->second.folder) {
        return refusal(403, "FileAlreadyExistsException", "Path is not a directory: " + r.path);
      }
      make_folders(r.path);
      return truth(true);
    }
    if (op == "DELETE") return remove(r);
    if (op == "CREATE" && is_there && r.get("overwrite") == "false") {
      return refusal(403, "FileAlreadyExistsException", r.path + " is there");
    }
    if (op == "CREATE") return redirect(r);
    if (!is_there) return refusal(404, "FileNotFoundException", "File does not exist: " + r.path);
    if (op == "OPEN" || op == "APPEND") return redirect(r);
    if (op == "GETFILESTATUS") {
      Node root{.folder = true, .data = {}, .cut_to = {}};
      Node& found = node == nodes_.end() ? root : node->second;
      if (found.cut_to) found.data.resize(*std::exchange(found.cut_to, std::nullopt));
      return {.body = R"({"FileStatus":)" + status_json("", found) + "}"};
    }
    if (op == "TRUNCATE") {
      const std::size_t size = std::strtoull(r.get("newlength").c_str(), nullptr, 10);
      if (options_.false_truncates) {
        node->second.cut_to = size;
      } else {
        node->second.data.resize(size);
      }
      return truth(!options_.false_truncates);
    }
    if (op == "GETCONTENTSUMMARY") return summary(r.path);
    if (op == "LISTSTATUS" || (op == "LISTSTATUS_BATCH" && options_.pages)) return listing(r);
    return refusal(400, "IllegalArgumentException", "Invalid value for parameter op: " + op);
  }

  // The names of what is directly in a folder.
  std::vector<std::string> names_in(const std::string& folder) const {
    std::vector<std::string> names;
    const std::string begin = folder == "/" ? "/" : folder + "/";
    for (auto it = nodes_.lower_bound(begin); it != nodes_.end(); ++it) {
      if (!it->first.starts_with(begin)) break;
      const std::string name = it->first.substr(begin.size());
      if (name.find('/') == std::string::npos) names.push_back(name);
    }
    return names;
  }

  // Of one file.
  bool rename(const std::string& from, const std::string& to) {
    if (!nodes_.contains(from) || nodes_.contains(to)) return false;
    if (!nodes_.contains(to.substr(0, to.rfind('/')))) return false;
    nodes_[to] = std::move(nodes_.extract(from).mapped());
    return true;
  }

  Response remove(const SeenRequest& r) {
    const auto node = nodes_.find(r.path);
    if (node != nodes_.end() && node->second.folder && !names_in(r.path).empty()) {
      return refusal(403, "PathIsNotEmptyDirectoryException", r.path + " is non empty");
    }
    return truth(nodes_.erase(r.path) > 0);
  }

  Response redirect(const SeenRequest& r) const {
    const std::string url = "http://" + options_.data_host + ":" + data_port() + r.raw_target +
                            "&namenoderpcaddress=nn:8020";
    if (r.get("noredirect") == "true") return {.body = R"({"Location":")" + url + R"("})"};
    return {307, "", "Location: " + url + "\r\n"};
  }

  Response listing(const SeenRequest& r) const {
    std::vector<std::string> names = names_in(r.path);
    std::size_t remaining = 0;
    const bool in_pages = r.op() == "LISTSTATUS_BATCH";
    if (in_pages) {
      std::erase_if(names, [&](const std::string& name) { return name <= r.get("startAfter"); });
      remaining = names.size() - std::min(names.size(), options_.page_size);
      names.resize(names.size() - remaining);
    }
    std::string entries;
    for (const std::string& name : names) {
      if (!entries.empty()) entries.append(",");
      entries += status_json(name, nodes_.at((r.path == "/" ? "" : r.path) + "/" + name));
    }
    const std::string statuses = R"({"FileStatuses":{"FileStatus":[)" + entries + "]}}";
    if (!in_pages) return {.body = statuses};
    return {.body = R"({"DirectoryListing":{"partialListing":)" + statuses +
                    R"(,"remainingEntries":)" + std::to_string(remaining) + "}}"};
  }

  Response summary(const std::string& path) const {
    std::size_t folders = 0;
    std::size_t files = 0;
    std::size_t bytes = 0;
    for (const auto& [name, node] : nodes_) {
      if (name != path && !name.starts_with(path + "/")) continue;
      ++(node.folder ? folders : files);
      bytes += node.data.size();
    }
    return {.body = R"({"ContentSummary":{"directoryCount":)" + std::to_string(folders) +
                    R"(,"fileCount":)" + std::to_string(files) + R"(,"length":)" +
                    std::to_string(bytes) + R"(,"quota":100,"spaceConsumed":)" +
                    std::to_string(3 * bytes) + R"(,"spaceQuota":-1}})"};
  }

  Response answer_data(const SeenRequest& r) {
    Response response{.headers = r.at_data_node ? "Connection: close\r\n" : ""};
    if (r.op() == "CREATE" && r.get("overwrite") == "false" && nodes_.contains(r.path)) {
      return refusal(403, "FileAlreadyExistsException", r.path + " is there");
    }
    if (r.op() == "CREATE") {
      make_folders(r.path.substr(0, r.path.rfind('/')));
      nodes_[r.path] = {.folder = false, .data = r.body, .cut_to = {}};
      response.status = 201;
      return response;
    }
    const auto node = nodes_.find(r.path);
    if (node == nodes_.end()) return refusal(404, "FileNotFoundException", r.path);
    if (r.op() == "APPEND") {
      node->second.data += r.body;
      return response;
    }
    const std::string& data = node->second.data;
    const std::size_t offset = std::strtoull(r.get("offset").c_str(), nullptr, 10);
    const std::string length = r.get("length");
    const std::size_t most =
        length.empty() ? data.size() : std::strtoull(length.c_str(), nullptr, 10);
    if (offset < data.size()) response.body = data.substr(offset, most);
    return response;
  }

  Options options_;
  Hook hook_;
  mutable std::mutex mutex_;
  std::map<std::string, Node> nodes_;
  std::vector<SeenRequest> seen_;
  net::ScriptedServer data_node_;
  net::ScriptedServer name_node_;
};

}  // namespace loadline::targets::webhdfs
