import type { FindingDetail, FindingRule } from '@isotherm/contract/alarms/finding'
import { type MetricName, quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { Sample, SampleValue } from '../messages/sample.ts'
import { checkHours } from './clocks.ts'
import { createDeviceMemory } from './device-memory.ts'
import { clear, emptyReading, type MeterReading, unknownMeter, type Verdict } from './meter-reading.ts'
import { countBits } from './number-rows.ts'
import { judgeEnergy, judgeVolume, type RegisterStep } from './registers.ts'
import { type Rule, type RuleContext, rules } from './rules.ts'

/** Receives findings. Instants are Unix ms. */
export interface FindingSink {
  open(deviceId: number, rule: FindingRule, since: number, detail: FindingDetail): void
  close(deviceId: number, rule: FindingRule, until: number): void
  /** A single event without duration. */
  event(deviceId: number, rule: FindingRule, at: number, detail: FindingDetail): void
}

export interface Plausibility {
  /** Adds quality bits to the implausible values of a message. */
  judge(samples: readonly Sample[]): readonly Sample[]
  /** Restores a finding that was open before the server restarted. */
  reopen(device: Pick<DirectoryEntry, 'id' | 'kind'>, rule: FindingRule): void
  /** The device left the registry. Its open findings stay, to be closed if it comes back. */
  forget(deviceId: number): void
}

export interface PlausibilityOptions {
  /** Undefined for back-fill: its values are flagged, but it creates no findings. */
  readonly sink: FindingSink | undefined
  /** How much faster the time of a simulated field runs. */
  readonly timeFactor: () => number | undefined
}

/** Field of MeterReading for each metric that the rules use. */
const fields: Partial<Record<MetricName, keyof MeterReading>> = {
  'heat.energy': 'energyKwh',
  'heat.volume': 'volumeM3',
  'heat.power': 'powerKw',
  'heat.flow': 'flowM3h',
  'temp.supply': 'supplyC',
  'temp.return': 'returnC',
  'temp.room': 'roomC',
  'valve.opening': 'openingPct',
  'meter.hours': 'hoursH',
}

/** Indices behind the rules of rules.ts. */
const REGISTER = rules.length
const HOURS = rules.length + 1

/** A rule with its number in the memory. */
interface NumberedRule {
  readonly rule: Rule
  readonly index: number
}

/** The rules that apply to a class of devices. */
interface RuleSet {
  readonly rules: readonly NumberedRule[]
  /** Numbers of all rules, those that are not in rules.ts included. */
  readonly numbers: ReadonlyMap<FindingRule, number>
}

const numbered: readonly NumberedRule[] = rules.map((rule, index) => ({ rule, index }))
const toNumbers = (held: readonly NumberedRule[]) =>
  held.map(({ rule, index }) => [rule.name, index] as const)
const meters: RuleSet = {
  rules: numbered,
  numbers: new Map([...toNumbers(numbered), ['register', REGISTER], ['hours', HOURS]]),
}
const otherRules = numbered.filter(({ rule }) => !rule.onlyMeters)
const others: RuleSet = { rules: otherRules, numbers: new Map(toNumbers(otherRules)) }

const isEvent = (step: RegisterStep): boolean => step === 'rollover' || step === 'meter-change'

/** The hours counter is checked once a day, because it has steps of an hour. */
const HOURS_SPAN_MS = 24 * HOUR_MS
/** After this number of readings below the former register value, the meter must be a new one that reports no hours. */
const NEW_METER_READINGS = 6
/** Good readings that close a finding, in addition to the window of its rule. */
const CALM = 2

/**
 * Applies the plausibility rules R1 to R14 (packages/contract/src/alarms/finding.ts) to readings, one message after
 * the other.
 */
export function createPlausibility({ sink, timeFactor }: PlausibilityOptions): Plausibility {
  const memory = createDeviceMemory()
  // Two reused objects: at 100,000 values a second, one object per sample would be too slow.
  const now: MeterReading = { ...emptyReading }
  const last: MeterReading = { ...emptyReading }
  let doubts: Map<MetricName, number> | undefined

  function doubt(metrics: readonly MetricName[], bits: number): void {
    if (bits === 0) return
    doubts ??= new Map()
    for (const metric of metrics) doubts.set(metric, (doubts.get(metric) ?? 0) | bits)
  }

  /** Instants are scaled to the time of the field, which is faster in a simulated one. */
  function read({ ts, meterTime, values }: Sample, factor: number): boolean {
    clear(now)
    now.ts = ts * factor
    now.meterTime = factor === 1 ? (meterTime ?? Number.NaN) : Number.NaN
    let isAny = meterTime !== undefined
    for (const { metric, value } of values) {
      const field = fields[metric]
      if (!field) continue
      now[field] = value
      isAny = true
    }
    return isAny
  }

  /** Opens or closes the finding of a rule; returns whether it is open. */
  function settle(
    sample: Sample,
    { rule, index }: NumberedRule,
    bad: FindingDetail | undefined,
    factor: number,
  ): boolean {
    const { id } = sample.device
    const before = memory.history(id, index)
    const history = memory.push(id, index, bad !== undefined)
    if (before === 0 && bad) memory.setAnchor(id, index, now)
    const isOpen = memory.isOpen(id, index)
    if (isOpen) {
      if ((history & ((1 << (rule.of + CALM)) - 1)) !== 0) return true
      memory.setOpen(id, index, false)
      // Later readings start a new history.
      memory.forget(id, index)
      sink?.close(id, rule.name, sample.ts)
      return false
    }
    if (!bad || countBits(history & ((1 << rule.of) - 1)) < rule.bad) return false
    const anchor = memory.anchor(id, index)
    if (now.ts - anchor.ts < rule.forH * HOUR_MS) return false
    if (rule.confirm && !rule.confirm(now, anchor, unknownMeter)) return false
    memory.setOpen(id, index, true)
    sink?.open(id, rule.name, Math.round(anchor.ts / factor), bad)
    return true
  }

  function apply(
    sample: Sample,
    ruleSet: RuleSet,
    before: MeterReading | undefined,
    context: RuleContext,
    factor: number,
  ): void {
    const restless = memory.restless(sample.device.id)
    for (let at = 0; at < ruleSet.rules.length; at += 1) {
      const held = ruleSet.rules[at]
      if (!held) continue
      const { rule } = held
      const verdict: Verdict = rule.check(now, before, context)
      if (verdict === undefined) continue
      const bad = verdict === 'good' ? undefined : verdict.bad
      // Nearly all readings are good and stay good: nothing changes.
      if (!bad && (restless & (1 << held.index)) === 0) continue
      const isFound = settle(sample, held, bad, factor)
      if (!bad) continue
      if (rule.marks === 'each' || isFound) doubt(rule.doubted(bad), rule.bits)
      if (rule.name === 'sensor') forgetSensors()
    }
  }

  /** Flags a repeated or late reading by itself, without effect on later ones. */
  function doubtAlone(ruleSet: RuleSet, context: RuleContext): void {
    for (const { rule } of ruleSet.rules) {
      if (rule.marks !== 'each') continue
      const verdict = rule.check(now, undefined, context)
      if (!verdict || verdict === 'good') continue
      doubt(rule.doubted(verdict.bad), rule.bits)
      if (rule.name === 'sensor') forgetSensors()
    }
  }

  /** Values of a broken sensor must not be used by the other rules. */
  function forgetSensors(): void {
    now.supplyC = Number.NaN
    now.returnC = Number.NaN
    now.roomC = Number.NaN
  }

  /** R5: a value that fell is doubtful, and the last good value remains the reference for the next one. */
  function checkRegisters(sample: Sample): void {
    const { id } = sample.device
    const energy = judgeEnergy(now, last, unknownMeter)
    const volume = judgeVolume(now, last, unknownMeter)
    if (isEvent(energy)) reportRegister(sample, energy)
    else if (isEvent(volume)) reportRegister(sample, volume)
    const hasFallen = energy === 'fall' || volume === 'fall'
    const history = memory.push(id, REGISTER, hasFallen)
    if (!hasFallen) {
      closeRegister(sample)
      return
    }
    if (countBits(history & ((1 << NEW_METER_READINGS) - 1)) === NEW_METER_READINGS) {
      reportRegister(sample, 'meter-change')
      closeRegister(sample)
      return
    }
    if (!memory.isOpen(id, REGISTER)) {
      memory.setOpen(id, REGISTER, true)
      sink?.open(id, 'register', sample.ts, registerDetail('fall'))
    }
    if (energy === 'fall') doubt(['heat.energy'], quality.implausible)
    if (volume === 'fall') doubt(['heat.volume'], quality.implausible)
    if (energy === 'fall') now.energyKwh = last.energyKwh
    if (volume === 'fall') now.volumeM3 = last.volumeM3
  }

  const registerDetail = (kind: RegisterStep): FindingDetail => {
    const figures = { energyKwh: now.energyKwh, energyBeforeKwh: last.energyKwh, volumeM3: now.volumeM3 }
    const known = Object.entries(figures).filter(([, value]) => !Number.isNaN(value))
    return { kind, ...Object.fromEntries(known) }
  }

  function reportRegister(sample: Sample, kind: RegisterStep): void {
    sink?.event(sample.device.id, 'register', sample.ts, registerDetail(kind))
  }

  function closeRegister(sample: Sample): void {
    const { id } = sample.device
    if (!memory.isOpen(id, REGISTER)) return
    memory.setOpen(id, REGISTER, false)
    sink?.close(id, 'register', sample.ts)
  }

  /** R14 over a day. */
  function checkHoursOfDay(sample: Sample): void {
    if (Number.isNaN(now.hoursH)) return
    const { id } = sample.device
    const start = memory.dayStart(id)
    const elapsed = now.ts - start.ts
    if (elapsed >= 0 && elapsed < HOURS_SPAN_MS) return
    memory.setDayStart(id, now)
    const verdict = checkHours(now, start, unknownMeter)
    if (verdict === undefined) return
    const isOpen = memory.isOpen(id, HOURS)
    const isBad = verdict !== 'good'
    if (isBad === isOpen) return
    memory.setOpen(id, HOURS, isBad)
    if (verdict === 'good') sink?.close(id, 'hours', sample.ts)
    else sink?.open(id, 'hours', sample.ts, verdict.bad)
  }

  function check(sample: Sample, factor: number): void {
    const ruleSet = sample.device.kind === 'heat-meter' ? meters : others
    const { id } = sample.device
    const isKnown = memory.restore(id, last)
    // Back-fill of another gap may be of an earlier time: it starts a new history.
    const isNext = isKnown && now.ts > last.ts
    const context = { profile: unknownMeter, periodMs: sample.device.periodS * 1_000 * factor }
    if (isKnown && !isNext && sink) {
      doubtAlone(ruleSet, context)
      return
    }
    // After a fall, the interval since the last good value does not limit its power.
    const isFit = isNext && (ruleSet === others || (memory.history(id, REGISTER) & 1) === 0)
    apply(sample, ruleSet, isFit ? last : undefined, context, factor)
    if (ruleSet === meters) {
      if (isNext) checkRegisters(sample)
      checkHoursOfDay(sample)
    }
    memory.remember(id, now)
  }

  function withDoubts(sample: Sample, found: ReadonlyMap<MetricName, number>): Sample {
    const flag = (value: SampleValue): SampleValue => {
      const bits = found.get(value.metric) ?? 0
      return bits === 0 ? value : { ...value, quality: value.quality | bits }
    }
    return { ...sample, values: sample.values.map(flag) }
  }

  return {
    judge(samples) {
      const factor = timeFactor() ?? 1
      return samples.map((sample) => {
        // The device is under maintenance, so its values do not show its normal state.
        if ((sample.quality & quality.maintenance) !== 0 || !read(sample, factor)) return sample
        doubts = undefined
        check(sample, factor)
        return doubts ? withDoubts(sample, doubts) : sample
      })
    },
    reopen({ id, kind }, rule) {
      const index = (kind === 'heat-meter' ? meters : others).numbers.get(rule)
      if (index === undefined) return
      memory.setOpen(id, index, true)
      memory.fill(id, index)
    },
    forget(deviceId) {
      if (!sink || !memory.isAnyOpen(deviceId)) memory.drop(deviceId)
    },
  }
}
