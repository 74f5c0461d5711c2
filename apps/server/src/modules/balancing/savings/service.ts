import { findFitQuality } from '@isotherm/balancing/savings/fit-quality'
import { fitBaseline, type HeatDay } from '@isotherm/balancing/savings/heat-baseline'
import { findSavingInSteps } from '@isotherm/balancing/savings/heat-saving'
import { findPumpSaving } from '@isotherm/balancing/savings/pump-saving'
import type { EnergyPrice, HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import type { InputOf } from '@isotherm/contract/endpoint'
import { type getHeatSaving, setEnergyPrice } from '@isotherm/contract/endpoints/control/savings'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { celsius, kilowattHour } from '@isotherm/kernel/quantities'
import { AppError } from '../../../platform/app-error.ts'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { covers } from '../../../platform/scope/scope.ts'
import { runInSlices } from '../../../platform/tasks/turns/run-in-slices.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import type { HeatingSeason } from '../../history/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { findCompanyZone } from '../time-zone.pg.ts'
import { type HourRange, readHours } from './hours.ch.ts'
import { listPricedNodes, type PricedNode, setPrices, toPrices } from './prices.pg.ts'
import {
  type CalendarDay,
  checkPeriods,
  dateOf,
  isInSeason,
  listDays,
  toUsualPeriods,
} from './saving-periods.ts'
import { findDeviceName, findFirstChange, findStation } from './station.pg.ts'
import {
  chooseSource,
  type StationDay,
  savingMetrics,
  selectDays,
  toStationDays,
  type UsedDay,
  usualHeat,
} from './station-days.ts'

export interface SavingsNeeds {
  readonly db: Database
  readonly clickhouse: ClickHouseClient
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly clock: Pick<Clock, 'now'>
  readonly heatingSeason: HeatingSeason
}

/** What stations saved, and the prices of energy. */
export interface SavingsService {
  /** Throws balance.no-station, request.malformed, history.range-too-large. */
  getSaving(caller: Caller, input: InputOf<typeof getHeatSaving>): Promise<HeatSavingAnswer>
  /** Throws node.not-found, entity.stale. */
  setPrice(call: Call, input: InputOf<typeof setEnergyPrice>): Promise<EnergyPrice>
}

/** Fixed, so that the same days give the same confidence interval. */
const SEED = 1

const toHeatDay = ({ outdoorC, heatKwh }: UsedDay): HeatDay => ({
  outdoorC: celsius(outdoorC),
  heatKwh: kilowattHour(heatKwh),
})

/** The hours of days, and one before: counters are read at the ends of days. */
const toHours = (days: readonly CalendarDay[]): HourRange => ({
  from: (days[0]?.from ?? 0) - HOUR_MS,
  to: days.at(-1)?.to ?? 0,
})

/** The saving in the later period, or the reason why there is none. */
async function findResult(
  baseline: ReturnType<typeof selectDays>,
  after: ReturnType<typeof selectDays>,
): Promise<HeatSavingAnswer['result']> {
  const { used, withoutHeat, withoutWeather, implausible } = baseline.counts
  if (used + withoutWeather + implausible === 0 && withoutHeat > 0)
    return { kind: 'not-measured', what: 'heat' }
  if (used === 0 && withoutWeather > 0) return { kind: 'not-measured', what: 'weather' }
  const fitted = fitBaseline(baseline.used.map(toHeatDay))
  if (fitted.kind !== 'fitted') return fitted
  const days = after.used.map(toHeatDay)
  const saving = await runInSlices(findSavingInSteps(fitted, days, SEED))
  if (saving.kind !== 'known') return saving
  const own = fitBaseline(days)
  const { measuredKwh, predictedKwh, savedKwh, lowKwh, highKwh } = saving
  return {
    kind: 'known',
    measuredKwh,
    predictedKwh,
    savedKwh,
    lowKwh,
    highKwh,
    line: fitted.line,
    ...(own.kind === 'fitted' ? { lineAfter: own.line } : {}),
    ...findFitQuality(fitted),
  }
}

const toPrice = ({ path: _, ...price }: PricedNode): EnergyPrice => price

/** Pump electricity of the days of the heating season that are measured. */
const toPumpDays = (days: readonly StationDay[], isCounted: (date: string) => boolean): number[] =>
  days.flatMap(({ date, pumpKwh }) => (isCounted(date) && Number.isFinite(pumpKwh) ? [pumpKwh] : []))

export function createSavingsService(needs: SavingsNeeds): SavingsService {
  const { db, clickhouse, network, clock, heatingSeason } = needs
  const isCounted = (date: string): boolean => isInSeason(date, heatingSeason)

  /** Nodes at and above a path with their prices, and those of them where the caller may set prices. */
  async function readPrices({ scope, permissions }: Caller, path: string) {
    const nodes = await listPricedNodes(db, path)
    const maySet = setEnergyPrice.access.anyOf.some((permission) => permissions.has(permission))
    const settable = maySet ? nodes.filter((node) => covers(scope, node.path)).map(toPrice) : []
    return { prices: toPrices(nodes), settable }
  }

  return {
    async getSaving(caller, { deviceId, periods: chosen }) {
      const station = await findStation(db, deviceId)
      if (!station) throw new AppError('balance.no-station', { node: await findDeviceName(db, deviceId) })
      const [zoneName, change, prices] = await Promise.all([
        findCompanyZone(db, station.companyId),
        findFirstChange(db, station.nodeId),
        readPrices(caller, station.path),
      ])
      const zone = createTimeZone(zoneName)
      const changed = change && dateOf(zone, change.at)
      const periods = chosen ?? toUsualPeriods(dateOf(zone, clock.now()), heatingSeason, changed)
      checkPeriods(periods)
      const [before, later] = [listDays(periods.baseline, zone), listDays(periods.after, zone)]
      const ids = [...station.controllers, ...station.meters]
      const hours = await readHours(clickhouse, ids, savingMetrics, [toHours(before), toHours(later)])
      const both = [toStationDays(before, station, hours), toStationDays(later, station, hours)] as const
      const source = chooseSource(both)
      const usualKwh = source === undefined ? Number.NaN : usualHeat(both, source)
      const [baseline, after] = [
        selectDays(both[0], source, usualKwh, isCounted),
        selectDays(both[1], source, usualKwh, isCounted),
      ]
      const pump = findPumpSaving(toPumpDays(both[0], isCounted), toPumpDays(both[1], isCounted))
      return {
        stationName: station.name,
        periodsBy: chosen ? 'people' : (change?.by ?? 'seasons'),
        ...(change ? { changedAt: change.at } : {}),
        ...(source === undefined ? {} : { source }),
        baseline: { ...periods.baseline, counts: baseline.counts, days: [...baseline.used] },
        after: { ...periods.after, counts: after.counts, days: [...after.used] },
        result: await findResult(baseline, after),
        ...(pump ? { pump } : {}),
        ...prices,
      }
    },

    async setPrice({ caller, operation }, { node, ...prices }) {
      const [path] = await network.resolveNodes(caller.scope, [node])
      if (path === undefined) throw new AppError('node.not-found')
      const isSet = await operate(db, operation, (transaction) => setPrices(transaction, path, prices))
      const set = (await listPricedNodes(db, path)).at(-1)
      if (!isSet || !set) throw new AppError('node.not-found')
      return toPrice(set)
    },
  }
}
