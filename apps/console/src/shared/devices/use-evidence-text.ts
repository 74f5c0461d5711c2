import type { FindingDetail } from '@isotherm/contract/alarms/finding'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../format/numbers.ts'
import { useFormat } from '../format/use-format.ts'

/** Unit and decimals of the figures of findings, by the names that the plausibility rules give them. */
const figures = {
  ratio: ['', 2],
  scale: ['', 2],
  grownKwh: ['kWh', 1],
  byPowerKwh: ['kWh', 1],
  byVolumeKwh: ['kWh', 1],
  maxKwh: ['kWh', 1],
  flowM3h: ['m³/h', 3],
  powerKw: ['kW', 1],
  maxKw: ['kW', 1],
  energyKwh: ['kWh', 0],
  supplyC: ['°C', 1],
  returnC: ['°C', 1],
  sensor: ['', 0],
  valueC: ['°C', 1],
  jumpK: ['K', 1],
  offsetS: ['s', 0],
  elapsedH: ['h', 1],
  advancedH: ['h', 1],
  excessK: ['K', 1],
  differenceK: ['K', 1],
  openingPct: ['%', 0],
} as const satisfies Readonly<Record<string, readonly [unit: string, decimals: number]>>

type Figure = keyof typeof figures

const isFigure = (name: string): name is Figure => Object.hasOwn(figures, name)

const sensors = ['supply', 'return', 'room'] as const

/** The measured figures of a finding in words: 回水高于供水 2.4 K. Figures without a name are left out. */
export function useEvidenceText(): (detail: FindingDetail) => string {
  const { t } = useTranslation('common')
  const format = useFormat()
  const toValue = (name: Figure, value: number | string): string => {
    if (typeof value === 'number') {
      const [unit, decimals] = figures[name]
      const number = format.number(value, decimals)
      return unit === '' ? number : withUnit(number, unit)
    }
    const sensor = sensors.find((each) => each === value)
    return sensor ? t(`device.finding.sensorName.${sensor}`) : value
  }
  return (detail) =>
    Object.entries(detail)
      .flatMap(([name, value]) =>
        isFigure(name) ? [`${t(`device.finding.figure.${name}`)} ${toValue(name, value)}`] : [],
      )
      .join(' · ')
}
