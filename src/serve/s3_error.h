// The refusals of the S3 protocol that this store gives.
// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
#pragma once

#include <string_view>

#include "serve/object_store.h"

namespace loadline::serve {

struct S3Error {
  int status = 500;
  std::string_view code;
  std::string_view message;
};

namespace s3_errors {

inline constexpr S3Error access_denied{403, "AccessDenied", "Access Denied"};
inline constexpr S3Error authorization_malformed{400, "AuthorizationHeaderMalformed",
                                                 "The authorization header is malformed."};
inline constexpr S3Error bad_digest{
    400, "BadDigest", "The Content-MD5 you specified did not match what we received."};
inline constexpr S3Error bad_request{400, "BadRequest", "The request is malformed."};
inline constexpr S3Error bucket_exists{
    409, "BucketAlreadyOwnedByYou",
    "Your previous request to create the named bucket succeeded and you already own it."};
inline constexpr S3Error bucket_not_empty{409, "BucketNotEmpty",
                                          "The bucket you tried to delete is not empty."};
inline constexpr S3Error content_sha256_mismatch{
    400, "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed."};
inline constexpr S3Error entity_too_large{
    413, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed object size."};
inline constexpr S3Error incomplete_body{
    400, "IncompleteBody",
    "The request body does not have the length or the form that its headers say."};
inline constexpr S3Error internal_error{500, "InternalError",
                                        "We encountered an internal error. Please try again."};
inline constexpr S3Error invalid_access_key{
    403, "InvalidAccessKeyId", "The access key ID you provided does not exist in our records."};
inline constexpr S3Error invalid_argument{400, "InvalidArgument", "Invalid argument."};
inline constexpr S3Error invalid_bucket_name{400, "InvalidBucketName",
                                             "The specified bucket is not valid."};
inline constexpr S3Error invalid_digest{400, "InvalidDigest",
                                        "The Content-MD5 you specified is not valid."};
inline constexpr S3Error invalid_part{400, "InvalidPart",
                                      "One or more of the specified parts could not be found."};
inline constexpr S3Error invalid_part_order{400, "InvalidPartOrder",
                                            "The list of parts was not in ascending order."};
inline constexpr S3Error invalid_range{416, "InvalidRange",
                                       "The requested range is not satisfiable."};
inline constexpr S3Error invalid_uri{400, "InvalidURI", "Couldn't parse the specified URI."};
inline constexpr S3Error key_too_long{400, "KeyTooLongError", "Your key is too long."};
inline constexpr S3Error malformed_xml{
    400, "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our schema."};
inline constexpr S3Error method_not_allowed{
    405, "MethodNotAllowed", "The specified method is not allowed against this resource."};
inline constexpr S3Error missing_length{411, "MissingContentLength",
                                        "You must provide the Content-Length HTTP header."};
inline constexpr S3Error no_such_bucket{404, "NoSuchBucket",
                                        "The specified bucket does not exist."};
inline constexpr S3Error no_such_key{404, "NoSuchKey", "The specified key does not exist."};
inline constexpr S3Error no_such_upload{404, "NoSuchUpload",
                                        "The specified multipart upload does not exist."};
inline constexpr S3Error not_implemented{
    501, "NotImplemented",
    "A header or query you provided implies functionality that is not "
    "implemented."};
inline constexpr S3Error out_of_memory{507, "InsufficientStorage",
                                       "The store has used up the memory it may take."};
inline constexpr S3Error precondition_failed{
    412, "PreconditionFailed", "At least one of the preconditions you specified did not hold."};
inline constexpr S3Error signature_mismatch{
    403, "SignatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided."};
inline constexpr S3Error slow_down{503, "SlowDown", "Please reduce your request rate."};
inline constexpr S3Error time_too_skewed{
    403, "RequestTimeTooSkewed",
    "The difference between the request time and the server's time is too large."};

}  // namespace s3_errors

// nullptr for ok.
const S3Error* error_of(StoreStatus status);

}  // namespace loadline::serve
