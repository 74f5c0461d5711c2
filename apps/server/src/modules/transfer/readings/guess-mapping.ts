import type { MappedValue, ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { MetricName } from '@isotherm/contract/metrics'
import { metrics } from '@isotherm/contract/metrics'
import { isConvertible } from '@isotherm/profiles/convert-units'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { parseTime } from './parse-time.ts'

/** Words of headings, the more special ones first. */
const metricWords: readonly (readonly [RegExp, MetricName])[] = [
  [/室温|室内|房间温度|room/i, 'temp.room'],
  [/室外|户外|气温|outdoor/i, 'temp.outdoor'],
  [/(供水|进水|供回水.*供).*温|supply.*temp|temp.*supply/i, 'temp.supply'],
  [/(回水|出水).*温|return.*temp|temp.*return/i, 'temp.return'],
  [/(供水|进水).*压|supply.*press|press.*supply/i, 'pressure.supply'],
  [/(回水|出水).*压|return.*press|press.*return/i, 'pressure.return'],
  [/压差|diff.*press|press.*diff/i, 'pressure.diff'],
  [/瞬时流量|流速|flow/i, 'heat.flow'],
  [/累[积计]流量|累[积计]水量|体积|volume/i, 'heat.volume'],
  [/功率|瞬时热|power/i, 'heat.power'],
  [/热量|热能|energy|heat/i, 'heat.energy'],
  [/开度|阀位|opening/i, 'valve.opening'],
  [/电压|电池|batt/i, 'bat.v'],
  [/信号|rssi|signal/i, 'rssi'],
  [/工作时间|运行时间|hours/i, 'meter.hours'],
]
const deviceWords: readonly (readonly [RegExp, ReadingMapping['device']['by']])[] = [
  [/imei/i, 'imei'],
  [/表号|表具|meter/i, 'meter-no'],
  [/设备|序列|编号|serial|device|sn$/i, 'serial'],
]
const TIME = /时间|日期|time|date/i
const CLOCK = /^(?:时刻|时分|time|clock)$/i
const METRIC = /^(?:指标|参数|数据项|测点.*名|metric|parameter|point|tag)/i
const VALUE = /^(?:数值|读数|值|采集值|value|reading)$/i
/** A unit in the brackets or after the last slash or underscore of a heading. */
const UNIT = /[（([［]\s*([^）)\]］]{1,8})\s*[）)\]］]|[/_]\s*([^/_]{1,6})$/

const units: Readonly<Record<string, string>> = {
  '℃': '°C',
  度: '°C',
  C: '°C',
  m3: 'm³',
  吨: 'm³',
  t: 'm³',
  'm3/h': 'm³/h',
  't/h': 'm³/h',
  kwh: 'kWh',
  gj: 'GJ',
  mpa: 'MPa',
  kpa: 'kPa',
}

/** Longer headings and names are only compared by their end: the time of the patterns grows fast with the length. */
const MAX_TRIED = 60
/** Maximum number of metric names that are recognised. */
const MAX_NAMES = 100

/** The unit that a heading states, if values in it can be converted to the metric; otherwise the metric's own. */
export function guessUnit(metric: MetricName, heading: string): string {
  const found = UNIT.exec(heading.slice(-MAX_TRIED))
  const text = (found?.[1] ?? found?.[2] ?? '').trim()
  const unit = units[text] ?? units[text.toLowerCase()] ?? text
  return unit !== '' && isConvertible(metric, unit) ? unit : metrics[metric].unit
}

export function guessMetric(text: string): MetricName | undefined {
  const tried = text.slice(-MAX_TRIED)
  return metricWords.find(([words]) => words.test(tried))?.[1]
}

const utc = createTimeZone('UTC')

/** Rows in which a time must be found: some may be damaged. */
const TIME_ROWS = 20

/** Maps texts of the column of metrics, each once. */
function mapNames(rows: readonly (readonly string[])[], column: number): MappedValue[] {
  const names = new Set(rows.map((row) => row[column] ?? '').filter((name) => name !== ''))
  return [...names].slice(0, MAX_NAMES).flatMap((name) => {
    const metric = guessMetric(name)
    return metric ? [{ name, metric, unit: guessUnit(metric, name) }] : []
  })
}

/** What the columns probably mean, by their headings and first rows. What is not recognised is absent. */
export function guessMapping(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Partial<ReadingMapping> {
  const find = (matches: (heading: string, column: number) => boolean): number | undefined => {
    const index = headings.findIndex(matches)
    return index === -1 ? undefined : index
  }
  const isTime = (heading: string, column: number): boolean =>
    TIME.test(heading) &&
    rows.slice(0, TIME_ROWS).some((row) => parseTime(row[column] ?? '', undefined, 'ymd', utc) !== undefined)
  const device = deviceWords.flatMap(([words, by]) => {
    const column = find(
      (heading) => words.test(heading) && !TIME.test(heading) && guessMetric(heading) === undefined,
    )
    return column === undefined ? [] : [{ column, by }]
  })[0]
  const column = find(isTime)
  const timeColumn = find((heading, index) => CLOCK.test(heading) && !isTime(heading, index))
  const [metricColumn, valueColumn] = [find((text) => METRIC.test(text)), find((text) => VALUE.test(text))]
  const isLong = metricColumn !== undefined && valueColumn !== undefined
  const values = isLong
    ? mapNames(rows, metricColumn)
    : headings.flatMap((heading, index): MappedValue[] => {
        const metric = index === device?.column || index === column ? undefined : guessMetric(heading)
        return metric ? [{ column: index, metric, unit: guessUnit(metric, heading) }] : []
      })
  return {
    form: isLong ? 'long' : 'wide',
    ...(device && { device }),
    ...(column !== undefined && {
      time: { column, order: 'ymd', ...(timeColumn !== undefined && { timeColumn }) },
    }),
    ...(isLong && { metricColumn, valueColumn }),
    ...(values.length > 0 && { values }),
  }
}
