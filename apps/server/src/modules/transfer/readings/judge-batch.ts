import type { DeviceKind } from '@isotherm/contract/devices'
import { isReportedBy, quality } from '@isotherm/contract/metrics'
import type { DirectoryEntry } from '../../devices/index.ts'
import {
  type FileReadings,
  FROM_FILES,
  type ReadingKey,
  type Sample,
  toKeyText,
  toSampleValue,
} from '../../telemetry/index.ts'
import { type Fault, toFault } from '../sheets/texts.ts'
import type { FileValue, ReadRow, RowOutcome } from './read-readings.ts'
import type { BatchResult, FailedRow } from './reading-progress.pg.ts'

export interface JudgeNeeds {
  readonly importId: number
  readonly isEstimated: boolean
  readonly findDevices: (names: readonly string[]) => Promise<ReadonlyMap<string, number>>
  readonly findDevice: (id: number) => DirectoryEntry | undefined
  /** Kinds of devices that the account manages. */
  readonly managed: readonly DeviceKind[]
  readonly files: Pick<FileReadings, 'findStored' | 'findBadInstant'>
}

export interface JudgedBatch extends Pick<BatchResult, 'added' | 'unchanged' | 'failed' | 'faults'> {
  /** What is to be stored. */
  readonly samples: readonly Sample[]
}

/** Characters of a cell of a failed row that are stored: no reading needs more. */
const MAX_STORED_CHARACTERS = 200

const toStoredCell = (text = ''): string => text.slice(0, MAX_STORED_CHARACTERS).toWellFormed()

/** Relative difference up to which a value is the stored one: conversions of units round. */
const EQUAL = 1e-9

const isEqual = (left: number, right: number): boolean =>
  left === right || Math.abs(left - right) <= EQUAL * Math.max(Math.abs(left), Math.abs(right))

const isRead = (outcome: RowOutcome): outcome is ReadRow => !('fault' in outcome)

/** A value of a known device that can be stored. */
interface Candidate {
  readonly key: ReadingKey
  readonly value: FileValue
  readonly device: DirectoryEntry
  readonly fail: (fault: Fault) => void
}

/**
 * Judges the rows of a batch. A reading is added if none is stored for its device, metric and instant; it is
 * unchanged if the same value is stored; otherwise it fails. Readings that this import stored before an interruption
 * count as added.
 */
export async function judgeBatch(rows: readonly RowOutcome[], needs: JudgeNeeds): Promise<JudgedBatch> {
  const bits = needs.isEstimated ? quality.substituted : 0
  const ids = await needs.findDevices(rows.filter(isRead).map(({ device }) => device))
  const faults: FailedRow[] = []
  const failedRows = new Set<number>()
  let failed = 0

  function fail({ number, cells }: RowOutcome['row'], { code, params }: Fault): void {
    failed += 1
    // The file of failed rows has each row once, with its first reason.
    if (failedRows.has(number)) return
    failedRows.add(number)
    const width = Math.max(...cells.keys()) + 1
    faults.push({
      row: number,
      cells: Array.from({ length: width }, (_, column) => toStoredCell(cells.get(column))),
      reason: code,
      params,
    })
  }

  /** Why no value of a row can be stored. */
  function findRowFault({ device, ts }: ReadRow, entry: DirectoryEntry | undefined): Fault | undefined {
    if (!entry) return toFault('reading.unknown-device', { device: device.slice(0, 64).toWellFormed() })
    if (!needs.managed.includes(entry.kind)) return toFault('access.denied')
    const bad = needs.files.findBadInstant(ts)
    return bad && toFault(bad === 'future-instant' ? 'reading.future' : 'reading.too-old')
  }

  const candidates: Candidate[] = []
  for (const outcome of rows) {
    const { row } = outcome
    if (!isRead(outcome)) {
      fail(row, outcome.fault)
      continue
    }
    const device = needs.findDevice(ids.get(outcome.device) ?? 0)
    const fault = findRowFault(outcome, device)
    if (fault || !device) {
      fail(row, fault ?? toFault('reading.unknown-device', { device: outcome.device }))
      continue
    }
    for (const each of outcome.faults) fail(row, each)
    for (const value of outcome.values) {
      const { metric } = value
      if (isReportedBy(metric, device.kind)) {
        const key = { deviceId: device.id, metric, ts: outcome.ts }
        candidates.push({ key, value, device, fail: (given) => fail(row, given) })
      } else fail(row, toFault('reading.wrong-metric', { metric }))
    }
  }

  const stored = await needs.files.findStored(candidates.map(({ key }) => key))
  const taken = new Map<string, number>()
  const samples = new Map<
    string,
    { device: DirectoryEntry; ts: number; values: Sample['values'][number][] }
  >()
  let [added, unchanged] = [0, 0]
  for (const { key, value, device, fail: failOne } of candidates) {
    const text = toKeyText(key)
    const found = stored.get(text)
    const known = taken.get(text) ?? found?.value
    if (known !== undefined && !isEqual(known, value.value)) {
      failOne(toFault('reading.other-value'))
      continue
    }
    const isOwn = found?.gatewayId === FROM_FILES && found.boot === needs.importId
    if (taken.has(text) || (found && !isOwn)) {
      unchanged += 1
      continue
    }
    taken.set(text, value.value)
    added += 1
    if (found) continue
    const of = `${key.deviceId}:${key.ts}`
    const sample = samples.get(of) ?? { device, ts: key.ts, values: [] }
    sample.values.push(toSampleValue(value.metric, value.value, bits))
    samples.set(of, sample)
  }
  return {
    added,
    unchanged,
    failed,
    faults,
    // Each device is judged by its readings in the order of time.
    samples: [...samples.values()]
      .map((sample) => ({ ...sample, quality: bits }))
      .sort((a, b) => a.ts - b.ts),
  }
}
