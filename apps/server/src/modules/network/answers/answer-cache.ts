import { LRUCache } from 'lru-cache'
import { writeOnce } from '../../../platform/http/serialize-once.ts'

interface Kept<Answer> {
  readonly revision: number
  readonly answer: Answer
}

/** What an answer costs besides what it lists: its key, its place among the others, itself and its bytes. */
const ANSWER_BYTES = 1_500

/**
 * Answers made of nodes, each written as JSON once, and nothing but them once any node was changed. A key says all
 * that an answer depends on besides: what was asked for, and what the viewer may do with it. `revision` was read
 * before anything that the answer is made of. Together they take at most so many bytes, the oldest given up first.
 */
export function createKeptAnswers<Answer extends object>(maxBytes: number, maxAnswerBytes = maxBytes) {
  const kept = new LRUCache<string, Kept<Answer>>({ maxSize: maxBytes, maxEntrySize: maxAnswerBytes })
  return {
    find(key: string, revision: number): Answer | undefined {
      const known = kept.get(key)
      return known?.revision === revision ? known.answer : undefined
    },
    /**
     * What lists nothing, of 0 bytes, is not kept: whoever asks for pages beyond the last would drive out all
     * others.
     */
    keep(key: string, revision: number, listedBytes: number, answer: Answer): Answer {
      if (listedBytes === 0) return answer
      kept.set(key, { revision, answer: writeOnce(answer) }, { size: ANSWER_BYTES + listedBytes })
      return answer
    },
  }
}
