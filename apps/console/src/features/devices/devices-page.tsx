import type { Device } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/devices/device-access'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../shared/format/address.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { AddButton } from '../../shared/records/add-button.tsx'
import type { RecordFilter } from '../../shared/records/record-filter.ts'
import { RecordList } from '../../shared/records/record-list.tsx'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { AddDevice } from './edit/add-device.tsx'
import { BulkDevice } from './edit/bulk-device.tsx'
import { useDeviceBulk } from './edit/use-device-bulk.tsx'
import { toDeviceLabel } from './labels/to-label.ts'
import { useDeviceColumns } from './list/device-columns.tsx'
import type { DevicePageKind } from './list/device-page-kind.ts'
import { PAGE_ROWS, stateFilters } from './list/device-query.ts'
import type { DeviceRow } from './list/device-row.ts'
import { useDevicePage } from './list/use-device-page.ts'
import { LoginButtons } from './logins/login-buttons.tsx'
import { ViewSwitch } from './models/view-switch.tsx'
import { ReadingsButton } from './readings/readings-button.tsx'
import { TransferButtons } from './transfer/transfer-buttons.tsx'
import { UnregisteredButton } from './unregistered/unregistered-button.tsx'

const loadDevice = () => import('./edit/device-drawer.tsx')
const loadLabels = () => import('./labels/labels-dialog.tsx')

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

/** Whether the user may change the devices of a page. All kinds of a page have the same permission. */
const useMayManage = ({ kinds }: DevicePageKind): boolean => useIsPermitted(managingPages[kinds[0]])

/** A page of device management: the devices of its kinds below the selected tree nodes. */
export function DevicesPage({ kind }: { readonly kind: DevicePageKind }) {
  const { t } = useTranslation('devices')
  const [changing, setChanging] = useState<readonly Device[]>([])
  const [labelled, setLabelled] = useState<readonly Device[]>([])
  const page = useDevicePage(kind)
  const columns = useDeviceColumns(kind)
  const filters = useFilters(kind)
  const bulk = useDeviceBulk({
    onChange: (rows) => setChanging(rows.map(({ device }) => device)),
    onLabels: (rows) => setLabelled(rows.map(({ device }) => device)),
  })
  const mayManage = useMayManage(kind)
  const done = () => {
    page.reload()
    page.close()
  }
  if (page.isGone) return <SelectionGone />
  return (
    <>
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
        controls={<ViewSwitch view="devices" />}
        emptyHint={t(`${kind.name}.emptyHint`)}
        url={page.url}
        onUrl={page.change}
        bulk={bulk}
        actions={
          mayManage && (
            <>
              {kind.name === 'gateways' && (
                <>
                  <UnregisteredButton onAdopted={page.reload} />
                  <LoginButtons onOpen={(id) => page.change({ open: String(id) })} />
                </>
              )}
              <TransferButtons onImported={page.reload} />
              <ReadingsButton />
              <AddButton label={t('edit.action')} onAdd={page.add} />
            </>
          )
        }
      />
      <AddDevice kinds={kind.kinds} isOpen={page.isNew} onClose={page.close} onDone={done} />
      <LazyPart
        wanted={page.openId !== undefined}
        load={loadDevice}
        onFailed={page.close}
        props={{
          id: page.openId,
          onOpen: (id) => page.change({ open: String(id) }),
          onClose: page.close,
          onChanged: page.reload,
        }}
      />
      <LazyPart
        wanted={labelled.length > 0}
        load={loadLabels}
        onFailed={() => setLabelled([])}
        props={{
          isOpen: labelled.length > 0,
          title: t('labels.title', { count: labelled.length }),
          means: t('labels.means'),
          labels: labelled.map(toDeviceLabel),
          onClose: () => setLabelled([]),
        }}
      />
      <BulkDevice
        devices={changing}
        onClose={() => setChanging([])}
        onDone={() => {
          setChanging([])
          page.reload()
          page.change({ picked: [] })
        }}
      />
    </>
  )
}
