/// The programs in Lua that the server runs, each as a whole.
///
/// They read the first line of an entry; see ``RedisEntry/Header``. Both have the keys of the generation and of the
/// variants.
enum RedisScript {
  /// Returns the entries that can be used. Its argument is the time.
  ///
  /// Too many entries, and too large ones, are not this cache's. Without them, a reply is within its limits.
  static let lookup =
    shared + #"""
      local found = {}
      local generation = redis.call('GET', KEYS[1])
      if not generation or redis.call('HLEN', KEYS[2]) > most then return found end
      for _, value in ipairs(redis.call('HVALS', KEYS[2])) do
        local entry = #value <= \#(RedisLayout.largestEntry) and parse(value)
        if entry and entry.generation == generation and entry.expiry > tonumber(ARGV[1])
            and isWhole(entry.body, entry.length) then
          found[#found + 1] = value
        end
      end
      return found
      """#

  /// Inserts an entry, or replaces the record of one, and removes those that cannot be used any more. Returns 1 if the
  /// entry is stored.
  ///
  /// The arguments are the generation, which is `*` for any, and empty when a record is replaced; the time; the expiry of the entry; the
  /// name of the variant; the id of the record; the record, which is empty if the variant is removed; and the id, the
  /// length and the bytes of the body.
  static let change =
    shared + #"""
      local now, expiry, field, record = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[6]
      local body, length, bytes = ARGV[7], ARGV[8], ARGV[9]
      local generation = redis.call('GET', KEYS[1])
      if ARGV[1] == '' then
        local value = redis.call('HGET', KEYS[2], field)
        local old = parse(value or '')
        if not old or old.generation ~= generation or old.id ~= ARGV[5] then return 0 end
        body, length, bytes = old.body, old.length, string.sub(value, old.bytes)
      elseif not generation or ARGV[1] ~= '*' and ARGV[1] ~= generation then
        return 0
      end
      if not isWhole(body, length) then return 0 end

      local function remove(name, entry)
        redis.call('HDEL', KEYS[2], name)
        if entry and entry.body ~= '0' and (entry.body ~= body or record == '') then
          redis.call('PEXPIRE', bodyKey(entry.body), \#(RedisLayout.readingTime), 'LT')
        end
      end
      if redis.call('HLEN', KEYS[2]) > most then redis.call('UNLINK', KEYS[2]) end
      local last, count = expiry, 0
      local entries = redis.call('HGETALL', KEYS[2])
      for i = 1, #entries, 2 do
        local entry = parse(entries[i + 1])
        if entries[i] ~= field and entry and entry.generation == generation and entry.expiry > now then
          last, count = math.max(last, entry.expiry), count + 1
        else
          remove(entries[i], entry)
        end
      end
      if record == '' then return 0 end
      if count == most then
        local name = redis.call('HRANDFIELD', KEYS[2])
        remove(name, parse(redis.call('HGET', KEYS[2], name)))
      end

      local head = {'1', generation, ARGV[3], ARGV[5], body, length, #record}
      redis.call('HSET', KEYS[2], field, table.concat(head, ' ') .. '\n' .. record .. bytes)
      redis.call('PEXPIRE', KEYS[1], \#(RedisLayout.generationLifetime))
      redis.call('PEXPIRE', KEYS[2], last - now)
      if body ~= '0' then
        redis.call('PEXPIRE', bodyKey(body), expiry - now + \#(RedisLayout.readingTime))
      end
      return 1
      """#

  private static let shared = #"""
    local most = \#(RedisLayout.mostVariants)
    local function parse(value)
      local generation, expiry, id, body, length, size, start =
        string.match(value, '^1 (%x+) (%d+) (%x+) (%x+) (%d+) (%d+)\n()')
      if not start then return nil end
      return {generation = generation, expiry = tonumber(expiry), id = id, body = body,
        length = length, bytes = start + tonumber(size)}
    end
    local function bodyKey(body) return KEYS[1] .. ':b:' .. body end
    local function isWhole(body, length)
      local count = math.ceil(tonumber(length) / \#(RedisLayout.chunkSize))
      return body == '0' or redis.call('HLEN', bodyKey(body)) == count
    end

    """#
}
