import type { billsZh } from './zh.ts'

/** Headings of the heat bills, and the name of their file. */
export const billsEn: typeof billsZh = {
  file: 'heat-bills',
  place: 'Place',
  household: 'Household',
  serial: 'Meter',
  from: 'From',
  to: 'To',
  area: 'Area (m²)',
  fixed: 'Fixed part (yuan)',
  heat: 'Heat ({unit})',
  estimated: 'Estimated part ({unit})',
  low: 'Lower bound ({unit})',
  high: 'Upper bound ({unit})',
  missingDays: 'Days without readings',
  price: 'Price (yuan/{unit})',
  variable: 'Heat part (yuan)',
  total: 'Total (yuan)',
  remark: 'Remark',
  remarks: {
    noMeter: 'no meter',
    noReading: 'no reading in the period',
    noArea: 'no area',
    estimated: 'contains estimated values',
    uncounted: '{days} days not counted',
    changed: 'meter changed, register rolled over or fell',
  },
}
