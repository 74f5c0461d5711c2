import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import type { RecordFilter } from '../../../shared/records/record-filter.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { SelectionGone } from '../../../shared/ui/selection-gone.tsx'
import { useDeviceColumns } from './device-columns.tsx'
import type { DevicePageKind } from './device-page-kind.ts'
import { PAGE_ROWS, stateFilters } from './device-query.ts'
import type { DeviceRow } from './device-row.ts'
import { useDevicePage } from './use-device-page.ts'

const toKey = ({ device }: DeviceRow): string => String(device.id)

/** Name of a device with its whole address, so that equal names differ. */
const toName = ({ device }: DeviceRow): string =>
  `${toWholeAddress(device.nestaddr)} / ${device.name} (${device.imei})`

function useFilters({ kinds, rules }: DevicePageKind): readonly RecordFilter[] {
  const { t } = useTranslation(['devices', 'common'])
  const kind = {
    name: 'kind',
    label: t('column.kind'),
    options: kinds.map((value) => ({ value, label: t(`deviceKind.${value}`, { ns: 'common' }) })),
  }
  const state = {
    name: 'state',
    label: t('column.state'),
    options: stateFilters.map((value) => ({ value, label: t(`state.${value}`) })),
  }
  const rule = {
    name: 'rule',
    label: t('filter.finding'),
    options: [
      { value: 'any', label: t('filter.anyFinding') },
      ...rules.map((value) => ({ value, label: t(`device.finding.rule.${value}`, { ns: 'common' }) })),
    ],
  }
  return [...(kinds.length > 1 ? [kind] : []), state, rule]
}

/** A page of device management: the devices of its kinds below the selected tree nodes. */
export function DevicesPage({ kind }: { readonly kind: DevicePageKind }) {
  const { t } = useTranslation('devices')
  const page = useDevicePage(kind)
  const columns = useDeviceColumns(kind)
  const filters = useFilters(kind)
  if (page.isGone) return <SelectionGone />
  return (
    <RecordList<DeviceRow>
      name={`devices-${kind.name}`}
      query={page.query}
      pageSize={PAGE_ROWS}
      isServerSorted={page.url.filters.state !== 'retired'}
      toKey={toKey}
      toName={toName}
      columns={columns}
      filters={filters}
      searchLabel={t('search')}
      emptyHint={t(`${kind.name}.emptyHint`)}
      url={page.url}
      onUrl={page.change}
    />
  )
}
