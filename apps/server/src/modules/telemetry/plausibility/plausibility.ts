import type { FindingDetail, FindingRule } from '@isotherm/contract/alarms/finding'
import { type MetricName, quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { Sample, SampleValue } from '../messages/sample.ts'
import { checkHours } from './clocks.ts'
import { createDeviceMemory, type DeviceMemory } from './device-memory.ts'
import { clear, emptyReading, type MeterReading, unknownMeter, type Verdict } from './meter-reading.ts'
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
}

export interface PlausibilityOptions {
  /** Undefined for back-fill: its values are flagged, but it creates no findings. */
  readonly sink: FindingSink | undefined
  /** How much faster the time of a simulated field runs. */
  readonly timeFactor: () => number | undefined
  /** Most devices that are remembered. If there are more, all are forgotten. */
  readonly maxDevices?: number
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

/** Indices behind the rules of rules.ts. These two rules have their own memory. */
const REGISTER = rules.length
const HOURS = rules.length + 1
const meterNames: readonly FindingRule[] = [...rules.map(({ name }) => name), 'register', 'hours']
const otherRules = rules.filter(({ onlyMeters }) => !onlyMeters)
const otherNames = otherRules.map(({ name }) => name)

/** The rules that apply to a class of devices, and their memory. */
interface RuleSet {
  readonly rules: readonly Rule[]
  readonly names: readonly FindingRule[]
  readonly memory: DeviceMemory
}

const toRuleSet = (held: readonly Rule[], names: readonly FindingRule[]): RuleSet => ({
  rules: held,
  names,
  memory: createDeviceMemory(names.length),
})

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
export function createPlausibility({
  sink,
  timeFactor,
  maxDevices = 2_000_000,
}: PlausibilityOptions): Plausibility {
  const meters = toRuleSet(rules, meterNames)
  /** Other devices have fewer rules and need less memory. */
  const others = toRuleSet(otherRules, otherNames)
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
    { memory }: RuleSet,
    slot: number,
    index: number,
    rule: Rule,
    bad: FindingDetail | undefined,
    factor: number,
  ): boolean {
    const before = memory.history(slot, index)
    const history = memory.push(slot, index, bad !== undefined)
    if (before === 0 && bad) memory.setAnchor(slot, index, now.ts, now.energyKwh, now.volumeM3)
    const isOpen = memory.isOpen(slot, index)
    if (isOpen) {
      if ((history & ((1 << (rule.of + CALM)) - 1)) !== 0) return true
      memory.setOpen(slot, index, false)
      // Later readings start a new history.
      memory.forget(slot, index)
      sink?.close(sample.device.id, rule.name, sample.ts)
      return false
    }
    if (!bad || countBits(history & ((1 << rule.of) - 1)) < rule.bad) return false
    const anchor = memory.anchor(slot, index)
    if (now.ts - anchor.ts < rule.forH * HOUR_MS) return false
    if (rule.confirm && !rule.confirm(now, anchor, unknownMeter)) return false
    memory.setOpen(slot, index, true)
    sink?.open(sample.device.id, rule.name, Math.round(anchor.ts / factor), bad)
    return true
  }

  function apply(
    sample: Sample,
    ruleSet: RuleSet,
    slot: number,
    before: MeterReading | undefined,
    context: RuleContext,
    factor: number,
  ): void {
    for (let index = 0; index < ruleSet.rules.length; index += 1) {
      const rule = ruleSet.rules[index]
      if (!rule) continue
      const verdict: Verdict = rule.check(now, before, context)
      if (verdict === undefined) continue
      const bad = verdict === 'good' ? undefined : verdict.bad
      // Nearly all readings are good and stay good: nothing changes.
      if (!bad && ruleSet.memory.isCalm(slot, index)) continue
      const isFound = settle(sample, ruleSet, slot, index, rule, bad, factor)
      if (!bad) continue
      if (rule.marks === 'each' || isFound) doubt(rule.doubted(bad), rule.bits)
      if (rule.name === 'sensor') forgetSensors()
    }
  }

  /** Flags a repeated or late reading by itself, without effect on later ones. */
  function doubtAlone(ruleSet: RuleSet, context: RuleContext): void {
    for (const rule of ruleSet.rules) {
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
  function checkRegisters(sample: Sample, slot: number): void {
    const energy = judgeEnergy(now, last, unknownMeter)
    const volume = judgeVolume(now, last, unknownMeter)
    const step = [energy, volume].find((one) => one === 'rollover' || one === 'meter-change')
    if (step) reportRegister(sample, step)
    const hasFallen = energy === 'fall' || volume === 'fall'
    const history = meters.memory.push(slot, REGISTER, hasFallen)
    if (!hasFallen) {
      closeRegister(sample, slot)
      return
    }
    if (countBits(history & ((1 << NEW_METER_READINGS) - 1)) === NEW_METER_READINGS) {
      reportRegister(sample, 'meter-change')
      closeRegister(sample, slot)
      return
    }
    if (!meters.memory.isOpen(slot, REGISTER)) {
      meters.memory.setOpen(slot, REGISTER, true)
      sink?.open(sample.device.id, 'register', sample.ts, registerDetail('fall'))
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

  function closeRegister(sample: Sample, slot: number): void {
    if (!meters.memory.isOpen(slot, REGISTER)) return
    meters.memory.setOpen(slot, REGISTER, false)
    sink?.close(sample.device.id, 'register', sample.ts)
  }

  /** R14 over a day. */
  function checkHoursOfDay(sample: Sample, slot: number): void {
    if (Number.isNaN(now.hoursH)) return
    const { ts, energyKwh: hoursH } = meters.memory.anchor(slot, HOURS)
    const elapsed = now.ts - ts
    if (elapsed >= 0 && elapsed < HOURS_SPAN_MS) return
    meters.memory.setAnchor(slot, HOURS, now.ts, now.hoursH, Number.NaN)
    const verdict = checkHours(now, { ts, hoursH }, unknownMeter)
    if (verdict === undefined) return
    const isOpen = meters.memory.isOpen(slot, HOURS)
    const isBad = verdict !== 'good'
    if (isBad === isOpen) return
    meters.memory.setOpen(slot, HOURS, isBad)
    if (verdict === 'good') sink?.close(sample.device.id, 'hours', sample.ts)
    else sink?.open(sample.device.id, 'hours', sample.ts, verdict.bad)
  }

  function check(sample: Sample, factor: number): void {
    const ruleSet = sample.device.kind === 'heat-meter' ? meters : others
    const { memory } = ruleSet
    if (memory.devices() > maxDevices) memory.clear()
    const slot = memory.slotOf(sample.device.id)
    const isKnown = memory.restore(slot, last)
    // Back-fill of another gap may be of an earlier time: it starts a new history.
    const isNext = isKnown && now.ts > last.ts
    const context = { profile: unknownMeter, periodMs: sample.device.periodS * 1_000 * factor }
    if (isKnown && !isNext && sink) {
      doubtAlone(ruleSet, context)
      return
    }
    // After a fall, the interval since the last good value says nothing about its power.
    const isFit = isNext && (ruleSet === others || (memory.history(slot, REGISTER) & 1) === 0)
    apply(sample, ruleSet, slot, isFit ? last : undefined, context, factor)
    if (ruleSet === meters) {
      if (isNext) checkRegisters(sample, slot)
      checkHoursOfDay(sample, slot)
    }
    memory.remember(slot, now)
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
      const { names, memory } = kind === 'heat-meter' ? meters : others
      const index = names.indexOf(rule)
      if (index === -1) return
      const slot = memory.slotOf(id)
      memory.setOpen(slot, index, true)
      memory.fill(slot, index)
    },
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}
