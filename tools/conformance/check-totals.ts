import { median } from '@isotherm/kernel/statistics'
import type { Findings } from './findings.ts'
import { listMissingNumbers, type Observer } from './observer.ts'

const RIGHT_MS = 5_000
const SHOWN = 5

const toText = (numbers: readonly number[]): string =>
  `${numbers.slice(0, SHOWN).join(', ')}${numbers.length > SHOWN ? ' …' : ''}`

/** Checks what only all messages together show: numbers and the clock. */
export function checkTotals(observer: Observer, findings: Findings): void {
  const replySeqs = Map.groupBy(observer.replies, ({ boot }) => boot)
  const boots = new Set([...observer.readings.values()].map(({ message }) => message.boot))
  for (const boot of boots) {
    const missing = observer.listMissing(boot)
    const ofReplies = new Set(replySeqs.get(boot)?.map(({ seq }) => seq))
    const isShared = missing.some((number) => ofReplies.has(number))
    const hint = isShared ? '; replies used such numbers, but they have a counter of their own' : ''
    findings.check('numbering', missing.length === 0, `boot ${boot} lacks ${toText(missing)}${hint}`)
  }
  for (const [boot, replies] of replySeqs) {
    const missing = listMissingNumbers(replies.map(({ seq }) => seq))
    findings.check('reply-numbering', missing.length === 0, `replies of boot ${boot} lack ${toText(missing)}`)
    for (const [number, same] of Map.groupBy(replies, ({ seq }) => seq)) {
      const isOne = new Set(same.map(({ id, stage, code }) => `${id} ${stage} ${code}`)).size === 1
      findings.check('reply-numbering', isOne, `number ${number} of boot ${boot} names different replies`)
    }
  }
  const offsets = [...observer.readings.values()].flatMap(({ message, firstChannel, arrivals: [first] }) =>
    firstChannel === 'history' || !first ? [] : [first.at - message.ts],
  )
  const offsetMs = median(offsets) ?? 0
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  findings.check(
    'clock',
    Math.abs(offsetMs) <= RIGHT_MS,
    `it is ${seconds} s ${offsetMs > 0 ? 'slow' : 'fast'}`,
  )
}
