# Receives webhooks from Leadwire and verifies them. Ruby 3, no gems.
#   LEADWIRE_WEBHOOK_SECRET=whsec_… ruby verify-webhook.rb
require "json"
require "openssl"
require "socket"
require "timeout"

MAX_BODY_BYTES = 1_048_576

# Raises ArgumentError unless the body (a binary string) is what Leadwire signed, within five minutes.
def verify(secret, headers, body)
  id, timestamp, signatures = headers.values_at("webhook-id", "webhook-timestamp", "webhook-signature")
  raise ArgumentError, "a webhook header is missing" unless id && timestamp && signatures
  raise ArgumentError, "the timestamp is too far from now" if (Time.now.to_i - Integer(timestamp, 10)).abs > 300

  key = secret.delete_prefix("whsec_").unpack1("m")
  raise ArgumentError, "the secret is missing" if key.empty? # or anybody could sign

  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body)
  expected = "v1,#{[digest].pack("m0")}"
  # While a secret is being replaced there are two signatures, separated by a space.
  return if signatures.split.any? { |one| OpenSSL.secure_compare(expected, one) }

  raise ArgumentError, "no signature matches"
end

# The request's headers, by their names in lower case, and its body.
def read_request(socket)
  socket.gets # POST / HTTP/1.1
  lines = socket.each_line("\r\n", chomp: true).take_while { |line| !line.empty? }
  headers = lines.to_h { |line| line.split(/:\s*/, 2) }.transform_keys(&:downcase)
  length = headers.fetch("content-length", "0").to_i
  raise ArgumentError, "the body is too large" unless length.between?(0, MAX_BODY_BYTES)

  [headers, socket.read(length).to_s]
end

def handle(socket)
  headers, body = Timeout.timeout(30) { read_request(socket) }
  verify(ENV.fetch("LEADWIRE_WEBHOOK_SECRET"), headers, body)
  event = JSON.parse(body)
  socket.write "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n" # Answer first, work afterwards.
  puts "verified #{event["type"]} #{event["id"]}" # A retry has the same webhook-id.
rescue ArgumentError, JSON::ParserError => error
  socket.write "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
  warn "refused: #{error.message}"
rescue Timeout::Error, IOError, SystemCallError => error
  warn "lost: #{error.message}"
ensure
  socket.close
end

$stdout.sync = true
port = ENV.fetch("PORT", "4000").to_i
server = TCPServer.new("127.0.0.1", port)
puts "listening at http://127.0.0.1:#{port}"
loop { Thread.new(server.accept) { |socket| handle(socket) } }
