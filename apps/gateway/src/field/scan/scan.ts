import { EVERY_METER, encodeCjtRead, encodeCjtReadAddress } from '@isotherm/codecs/cjt188/encode'
import { encodeReqUd2, encodeSelect, encodeSndNke } from '@isotherm/codecs/mbus/encode'
import { findMbus, mbusAddresses } from '@isotherm/codecs/mbus/frame'
import { narrow, type SecondaryAddress } from '@isotherm/codecs/mbus/secondary-address'
import type { LineFormat, LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { ScanMethod, ScanProgress } from '@isotherm/contract/mqtt'
import type { ExchangeOutcome, ExchangeRequest } from '../exchanger.ts'
import { isCjtReply } from '../is-reply.ts'

/** Sends one question of a search. */
export type Ask = (
  request: Pick<ExchangeRequest, 'bytes' | 'isReply'> & { readonly isLong: boolean },
) => Promise<ExchangeOutcome>

/** A search of a line for devices, step by step: other requests may come between two steps. */
export interface Scan {
  readonly formats: readonly LineFormat[]
  readonly isEnded: () => boolean
  readonly progress: () => Omit<ScanProgress, 'known'>
  /** A request of the line selected a meter: it would answer together with the next one. */
  readonly onSelected: () => void
  /** Asks one address or pattern. Returns the answer of a device that was found. */
  readonly step: (ask: Ask) => Promise<LineFrame | undefined>
}

const isAck = (frame: LineFrame): boolean => frame.isAck

function isData({ format, bytes, isAck: hasNoData }: LineFrame): boolean {
  if (format !== 'mbus' || hasNoData) return false
  const frame = findMbus(bytes)
  return 'ci' in frame && frame.function === 'rsp-ud'
}

/** Answers that overlap arrive as bytes of no frame. */
const isCollision = (outcome: ExchangeOutcome): boolean => outcome.kind === 'silence' && outcome.hasNoise

/** Requests the data of the meter at an address, once more after silence. */
async function askData(ask: Ask, address: number): Promise<ExchangeOutcome> {
  const request = { bytes: encodeReqUd2(address, true), isReply: isData, isLong: true }
  const first = await ask(request)
  return first.kind === 'silence' && !first.hasNoise ? ask(request) : first
}

/**
 * Secondary addresses of M-Bus (EN 13757-3, 11.5): a pattern selects all meters that match it. If one answers, it is found; if several
 * answer at once, the pattern is replaced by ten narrower ones.
 */
function createSecondaryScan(): Scan {
  const left: SecondaryAddress[] = [{ id: 'F'.repeat(8) }]
  let [requested, found, collisions] = [0, 0, 0]
  let isSelected = true

  async function askPattern(ask: Ask, pattern: SecondaryAddress): Promise<LineFrame | undefined> {
    // A meter that is still selected would answer together with the next one.
    if (isSelected) await ask({ bytes: encodeSndNke(mbusAddresses.selected), isReply: isAck, isLong: false })
    const bytes = encodeSelect(pattern)
    if (bytes === undefined) return undefined
    const ack = await ask({ bytes, isReply: isAck, isLong: false })
    isSelected = ack.kind === 'reply' || isCollision(ack)
    if (ack.kind === 'closed') left.push(pattern)
    if (!isSelected) return undefined
    const data = await askData(ask, mbusAddresses.selected)
    if (data.kind === 'closed') left.push(pattern)
    if (isCollision(ack) || isCollision(data)) {
      const narrower = narrow(pattern)
      if (narrower.length === 0) collisions++
      left.push(...narrower.toReversed())
    }
    return data.kind === 'reply' ? data.frame : undefined
  }

  return {
    formats: ['mbus'],
    isEnded: () => left.length === 0,
    onSelected() {
      isSelected = true
    },
    progress: () => ({ requested, of: requested + left.length, found, collisions }),
    async step(ask) {
      const pattern = left.pop()
      if (pattern === undefined) return undefined
      const frame = await askPattern(ask, pattern)
      requested++
      if (frame !== undefined) found++
      return frame
    },
  }
}

/** Primary addresses of M-Bus: 0, which new meters have, to 250. */
const PRIMARY_ADDRESSES = 251

function createPrimaryScan(): Scan {
  let [requested, found, collisions] = [0, 0, 0]
  return {
    formats: ['mbus'],
    isEnded: () => requested === PRIMARY_ADDRESSES,
    onSelected: () => undefined,
    progress: () => ({ requested, of: PRIMARY_ADDRESSES, found, collisions }),
    async step(ask) {
      const ack = await ask({ bytes: encodeSndNke(requested), isReply: isAck, isLong: false })
      if (ack.kind === 'closed') return undefined
      const isThere = ack.kind === 'reply' || isCollision(ack)
      const data = isThere ? await askData(ask, requested) : undefined
      if (data?.kind === 'closed') return undefined
      requested++
      if (isCollision(ack) || (data && isCollision(data))) collisions++
      if (data?.kind !== 'reply') return undefined
      found++
      return data.frame
    },
  }
}

/** Types of meters and orders of identifiers under which a CJ/T 188 meter may listen: heat, cold water, hot water. */
const cjtTargets = [0x20, 0x10, 0x11].flatMap((type) =>
  (['little', 'big'] as const).map((order) => ({ address: EVERY_METER, type, order })),
)

/** The wildcard address of CJ/T 188: every meter of the line answers, so it finds the meter of a line with one. */
function createCjtScan(): Scan {
  const requests = cjtTargets.flatMap((target, sequence) => [encodeCjtRead({ ...target, sequence })])
  // A meter that has no current data under these types may still say its address.
  requests.push(encodeCjtReadAddress({ address: EVERY_METER, sequence: requests.length }))
  let [requested, found, collisions] = [0, 0, 0]
  const isEnded = () => found > 0 || collisions > 0 || requested === requests.length
  return {
    formats: ['cjt188'],
    isEnded,
    onSelected: () => undefined,
    progress: () => ({ requested, of: isEnded() ? requested : requests.length, found, collisions }),
    async step(ask) {
      const bytes = requests[requested]
      if (bytes === undefined) return undefined
      const outcome = await ask({ bytes, isReply: isCjtReply(bytes), isLong: true })
      if (outcome.kind === 'closed') return undefined
      requested++
      if (isCollision(outcome)) collisions++
      if (outcome.kind !== 'reply') return undefined
      found++
      return outcome.frame
    },
  }
}

const scans = {
  cjt188: createCjtScan,
  'mbus-secondary': createSecondaryScan,
  'mbus-primary': createPrimaryScan,
} as const satisfies Readonly<Record<ScanMethod, () => Scan>>

export const createScan = (method: ScanMethod): Scan => scans[method]()
