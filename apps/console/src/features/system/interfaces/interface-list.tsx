import { CheckCircleOutlined, StopOutlined } from '@ant-design/icons'
import {
  getInterfaces,
  INTERFACE_HOURS,
  type InterfaceItem,
  setInterfaceStates,
} from '@isotherm/contract/endpoints/administration/interfaces'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import type { BulkAction } from '../../../shared/records/bulk-action.ts'
import { createListUrl } from '../../../shared/records/list-url.ts'
import type { RecordFilter } from '../../../shared/records/record-filter.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { ViewSwitch } from '../keys/view-switch.tsx'
import { BrokerLine } from './broker-line.tsx'
import { useInterfaceColumns } from './interface-columns.tsx'
import { InterfaceFacts } from './interface-facts.tsx'
import { toInterfaceName } from './interface-text.ts'
import styles from './interfaces.module.css'

const address = createListUrl({
  filters: ['kind', 'state', 'access'],
  sorts: ['name', 'method', 'address', 'state', 'access', 'calls', 'failures', 'p95', 'raw', 'summary'],
})
const DRAWER_PX = 560

const toKey = ({ name }: InterfaceItem): string => name

async function loadInterfaces(signal: AbortSignal | undefined) {
  const datalist = await listAll((limiter) => call(getInterfaces, { limiter }, { signal }), toKey)
  return { datalist, total: datalist.length }
}

function useFilters(): readonly RecordFilter[] {
  const { t } = useTranslation('system')
  const kinds = ['http', 'mqtt', 'websocket'] as const
  const accesses = ['public', 'session', 'permission', 'device'] as const
  return [
    {
      name: 'kind',
      label: t('interfaces.kind'),
      options: kinds.map((value) => ({ value, label: t(`interfaces.kinds.${value}`) })),
    },
    {
      name: 'state',
      label: t('interfaces.state'),
      options: [
        { value: 'enabled', label: t('interfaces.enabled') },
        { value: 'disabled', label: t('interfaces.disabled') },
      ],
    },
    {
      name: 'access',
      label: t('interfaces.access'),
      options: accesses.map((value) => ({ value, label: t(`interfaces.accesses.${value}`) })),
    },
  ]
}

function passes({ kind, enabled, access }: InterfaceItem, filter: string, value: string): boolean {
  if (filter === 'kind') return kind === value
  return filter === 'state' ? enabled === (value === 'enabled') : access === value
}

function useBulk(): readonly BulkAction<InterfaceItem>[] {
  const { t } = useTranslation('system')
  const set = (name: string, enabled: boolean) => call(setInterfaceStates, { names: [name], enabled })
  return [
    {
      key: 'enable',
      label: t('interfaces.enable'),
      icon: <CheckCircleOutlined />,
      isOffered: ({ abilities, enabled }) => abilities.includes('switch') && !enabled,
      question: (rows) => t('interfaces.enableQuestion', { count: rows.length }),
      act: ({ name }) => set(name, true),
    },
    {
      key: 'disable',
      label: t('interfaces.disable'),
      icon: <StopOutlined />,
      danger: true,
      isOffered: ({ abilities, enabled }) => abilities.includes('switch') && enabled,
      question: (rows) => t('interfaces.disableQuestion', { count: rows.length }),
      act: ({ name }) => set(name, false),
    },
  ]
}

/** Interfaces: every call and topic of the server, who may use it, how often and how fast, and whether it is enabled. */
export function InterfaceList() {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const page = useRecordPage({ address, queryKey: ['interfaces'], load: loadInterfaces, toKey })
  const columns = useInterfaceColumns()
  const filters = useFilters()
  const bulk = useBulk()
  const nameOf = (item: InterfaceItem) => toInterfaceName(item, language, t)
  const { record, close } = page
  return (
    <>
      <RecordList<InterfaceItem>
        name="interfaces"
        query={page.query}
        toKey={toKey}
        toName={nameOf}
        columns={columns}
        filters={filters}
        passes={passes}
        searchLabel={t('interfaces.search')}
        toSearched={(item) => [item.name, item.address, item.summary, nameOf(item)]}
        url={page.url}
        onUrl={page.change}
        bulk={bulk}
        controls={
          <>
            <ViewSwitch view="interfaces" />
            <BrokerLine />
          </>
        }
        actions={<small className={styles.note}>{t('interfaces.hours', { hours: INTERFACE_HOURS })}</small>}
      />
      <SideDrawer
        isWanted={record !== undefined}
        title={record && nameOf(record)}
        widthPx={DRAWER_PX}
        onClose={close}
      >
        {record && <InterfaceFacts item={record} />}
      </SideDrawer>
    </>
  )
}
