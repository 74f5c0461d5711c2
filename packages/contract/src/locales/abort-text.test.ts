import { expect, test } from 'vitest'
import type { CampaignAbort } from '../balancing/campaign.ts'
import { abortSentences, toAbortText } from './abort-text.ts'

const write = {
  number: String,
  devices: (deviceIds: readonly number[]) => deviceIds.map((id) => `V-${id}`).join(', '),
  refusal: ({ code }: { readonly code: string }) => code,
}

test.each<[CampaignAbort, string]>([
  [{ kind: 'unanswered', share: 0.125 }, '12.5% of the commands were not confirmed, more than is allowed.'],
  [
    { kind: 'head-outside', headKpa: 75 },
    'The available head at the station was 75 kPa, outside its limits.',
  ],
  [
    { kind: 'starved', deviceIds: [2, 7] },
    'Valves below 70% of the predicted flow and below their flow before (2): V-2, V-7.',
  ],
  [{ kind: 'cold-rooms', before: 1, now: 4 }, 'Rooms below 18 °C rose from 1 to 4.'],
  [{ kind: 'refused', code: 'command.held' }, 'A command was refused: command.held.'],
])('%o as a sentence', (abort, sentence) => {
  expect(toAbortText(abortSentences.en[abort.kind], abort, write)).toBe(sentence)
})

test('both languages use the same placeholders', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()
  const toPlaceholders = (sentences: Readonly<Record<string, string>>) =>
    Object.entries(sentences).map(([kind, text]) => [kind, placeholders(text)])
  expect(toPlaceholders(abortSentences.zh)).toEqual(toPlaceholders(abortSentences.en))
})
