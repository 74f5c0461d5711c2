import { isMetricName } from '@isotherm/contract/metrics'
import { listUnits } from '@isotherm/profiles/convert-units'
import { Select } from 'antd'
import type { Role } from './column-roles.ts'

/** The unit of a column or a name; a text if the metric has only one, nothing if it is no metric. */
export function UnitSelect({
  label,
  role,
  unit,
  onUnit,
}: {
  readonly label: string
  readonly role: Role | undefined
  readonly unit: string | undefined
  readonly onUnit: (unit: string) => void
}) {
  if (role === undefined || !isMetricName(role)) return null
  const units = listUnits(role)
  if (units.length < 2) return <small>{units[0]}</small>
  return (
    <Select
      aria-label={label}
      popupMatchSelectWidth={false}
      value={unit ?? units[0] ?? ''}
      options={units.map((value) => ({ value, label: value }))}
      onChange={onUnit}
    />
  )
}
