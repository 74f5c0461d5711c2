import { LRUCache } from 'lru-cache'
import { writeOnce } from '../../platform/http/written-once.ts'

interface Kept<Answer> {
  readonly revision: number
  readonly answer: Answer
}

/**
 * Answers made of nodes, each written as JSON once, and nothing but them once any node was changed. A key says all
 * that an answer depends on besides: what was asked for, and what the viewer may do with it. `revision` was read
 * before anything that the answer is made of. Together they are at most of a size, the oldest given up first.
 */
export function createKeptAnswers<Answer extends object>(maxSize: number, maxEntrySize = maxSize) {
  const kept = new LRUCache<string, Kept<Answer>>({ maxSize, maxEntrySize })
  return {
    find(key: string, revision: number): Answer | undefined {
      const known = kept.get(key)
      return known?.revision === revision ? known.answer : undefined
    },
    keep(key: string, revision: number, size: number, answer: Answer): Answer {
      kept.set(key, { revision, answer: writeOnce(answer) }, { size })
      return answer
    },
  }
}
