# Sends a lead to Leadwire, signed, and tries again where that is safe. Ruby 3, no gems.
#   LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… ruby send-lead.rb [external_lead_id]
require "digest"
require "json"
require "net/http"
require "openssl"

# HMAC-SHA256 over five lines. Path and query are signed as they are sent, the body as its bytes.
def sign(secret_key, timestamp, method, path, query, body)
  text = [timestamp, method, path, query, Digest::SHA256.hexdigest(body)].join("\n")
  OpenSSL::HMAC.hexdigest("SHA256", secret_key, text)
end

# Each try is signed anew: a signature is good for five minutes.
def post(path, body)
  uri = URI(ENV.fetch("LEADWIRE_URL", "http://127.0.0.1:3000") + path)
  timestamp = Time.now.to_i.to_s
  headers = {
    "Content-Type" => "application/json",
    "X-Leadwire-Public-Key" => ENV.fetch("LEADWIRE_PUBLIC_KEY"),
    "X-Leadwire-Timestamp" => timestamp,
    "X-Leadwire-Signature" => sign(ENV.fetch("LEADWIRE_SECRET_KEY"), timestamp, "POST", path, "", body)
  }
  options = { use_ssl: uri.scheme == "https", open_timeout: 30, read_timeout: 30 }
  Net::HTTP.start(uri.hostname, uri.port, **options) { |http| http.post(uri.request_uri, body, headers) }
end

def send_lead(lead)
  body = JSON.generate(lead)
  attempt = 1
  loop do
    begin
      answer = post("/api/v1/insertion/leads", body)
    rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError => error
      raise if attempt == 5
    end
    case answer&.code
    when "429" # over the rate limit: the server says for how long
      sleep [answer["Retry-After"].to_i, 1].max
    when nil, /\A5/ # the network, or the server: 1, 2, 4, 8 seconds, five attempts in all
      return answer if attempt == 5
      sleep 2**(attempt - 1)
      attempt += 1
    else
      return answer
    end
  end
end

if __FILE__ == $PROGRAM_NAME
  answer = send_lead(
    campaign_id: 1,
    external_lead_id: ARGV.fetch(0, "quick-start-1"),
    phone: "+14155550132",
    email: "ada@example.com"
  )
  abort "#{answer.code} #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)
  puts "#{answer.code} #{answer.body}"
end
