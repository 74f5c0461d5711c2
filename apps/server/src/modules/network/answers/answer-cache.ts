import { LRUCache } from 'lru-cache'
import { serializeOnce } from '../../../platform/http/serialize-once.ts'

interface CachedAnswer<Answer> {
  readonly revision: number
  readonly answer: Answer
}

/** Memory of a cached answer besides its listed items: key, cache entry, the answer object and its serialized bytes. */
const ANSWER_BYTES = 1_500

/**
 * Caches answers about the tree, each serialized to JSON once. An answer is valid only for the revision it was stored
 * under; read the revision before anything the answer is made of. The key must contain everything else the answer
 * depends on: the query and what the viewer may do. Entries take at most `maxBytes` together; the least recently used
 * are evicted first.
 */
export function createAnswerCache<Answer extends object>(maxBytes: number, maxAnswerBytes = maxBytes) {
  const cache = new LRUCache<string, CachedAnswer<Answer>>({
    maxSize: maxBytes,
    maxEntrySize: maxAnswerBytes,
  })
  return {
    find(key: string, revision: number): Answer | undefined {
      const cached = cache.get(key)
      return cached?.revision === revision ? cached.answer : undefined
    },
    /**
     * Stores and returns an answer. An answer without items (0 bytes) is not stored: requests for pages beyond the
     * last one would evict all others.
     */
    store(key: string, revision: number, listedBytes: number, answer: Answer): Answer {
      if (listedBytes === 0) return answer
      cache.set(key, { revision, answer: serializeOnce(answer) }, { size: ANSWER_BYTES + listedBytes })
      return answer
    },
  }
}
