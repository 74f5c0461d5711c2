import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { weightedMean } from '@isotherm/kernel/statistics'
import { STILL_PCT } from '../../balancing/index.ts'
import type { Report } from './report.ts'
import { createSummedReport, type SummedNeeds } from './summed-report.ts'

const HOURS_A_DAY = 24
/** As in the index pumpMonthKWhM2 of packages/balancing. */
const HOURS_A_MONTH = 730
const DAYS_A_MONTH = 30

const sumOf = <Item>(items: readonly Item[], pick: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0)

const { coldC, hotC } = defaultRoomRules

/** How many rooms are how cold, by their daily means. */
export const createComfortReport = (needs: SummedNeeds): Report =>
  createSummedReport(needs, {
    kind: 'room-sensor',
    metric: 'temp.room',
    main: 'coldShare',
    sums: {
      days: '1',
      totalC: 'mean',
      coldDays: `mean < ${coldC}`,
      hotDays: `mean >= ${hotC}`,
      coldKh: `greatest(0, ${coldC} - mean) * ${HOURS_A_DAY}`,
    },
    course: { sums: ['days', 'coldDays'], total: 'sum(coldDays) / sum(days)' },
    toFigures: (rooms) => {
      const days = sumOf(rooms, (room) => room.days)
      return {
        coldShare: sumOf(rooms, (room) => room.coldDays) / days,
        coldDegreeHours: sumOf(rooms, (room) => room.coldKh) / rooms.length,
        coldRooms: rooms.filter((room) => room.totalC / room.days < coldC).length,
        hotShare: sumOf(rooms, (room) => room.hotDays) / days,
        meanRoomC: sumOf(rooms, (room) => room.totalC) / days,
      }
    },
  })

/** Electricity of pumps. A day without readings counts for nothing. */
export const createPumpsReport = (needs: SummedNeeds): Report =>
  createSummedReport(needs, {
    kind: 'station',
    metric: 'pump.power',
    main: 'pumpMonthKwhM2',
    sums: { days: '1', totalKw: 'mean' },
    toFigures: (stations, findArea) => {
      const known = stations.map((station) => ({
        kw: station.totalKw / station.days,
        areaM2: findArea(station.path),
      }))
      const withArea = known.filter(({ areaM2 }) => areaM2 !== undefined)
      const areaM2 = sumOf(withArea, (each) => each.areaM2 ?? 0)
      return {
        pumpMonthKwhM2: areaM2 > 0 ? (sumOf(withArea, ({ kw }) => kw) * HOURS_A_MONTH) / areaM2 : undefined,
        pumpKw: sumOf(known, ({ kw }) => kw),
        pumpKwh: sumOf(stations, ({ totalKw }) => totalKw) * HOURS_A_DAY,
        pumpAreaM2: areaM2 > 0 ? areaM2 : undefined,
      }
    },
  })

/** Movement of valves: the travel of a day is at least the difference of its extremes. */
export const createMovesReport = (needs: SummedNeeds): Report =>
  createSummedReport(needs, {
    kind: 'valve',
    metric: 'valve.opening',
    main: 'strokesPerMonth',
    sums: {
      days: '1',
      movedDays: `high - low > ${STILL_PCT}`,
      travelPct: `if(high - low > ${STILL_PCT}, high - low, 0)`,
      totalPct: 'mean',
    },
    course: {
      sums: ['days', 'travelPct'],
      total: `avg(travelPct / 100 * ${DAYS_A_MONTH} / days)`,
    },
    toFigures: (valves) => {
      const days = sumOf(valves, (valve) => valve.days)
      return {
        strokesPerMonth: weightedMean(
          valves.map((valve) => ((valve.travelPct / 100) * DAYS_A_MONTH) / valve.days),
        ),
        movedDayShare: sumOf(valves, (valve) => valve.movedDays) / days,
        meanOpening: sumOf(valves, (valve) => valve.totalPct) / days / 100,
      }
    },
  })
