import { DeleteOutlined } from '@ant-design/icons'
import {
  type ApiKey,
  addApiKey,
  deleteApiKey,
  getApiKeys,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { DAY_MS } from '@isotherm/kernel/durations'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { AddButton } from '../../../shared/records/add-button.tsx'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { createListUrl, type ListUrl, NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { useKeyFields } from './key-fields.tsx'
import styles from './keys.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { VIEW, ViewSwitch } from './view-switch.tsx'

const list = createListUrl({
  sorts: [
    'name',
    'start',
    'account',
    'permissions',
    'access',
    'nodes',
    'perMinute',
    'expiresAt',
    'lastUsedAt',
    'createdAt',
  ],
})

/** The list is a view of the page of interfaces, which its address names. */
const address = {
  parse: list.parse,
  toSearch(url: ListUrl): URLSearchParams {
    const search = list.toSearch(url)
    search.set(VIEW, 'keys')
    return search
  },
}

const DRAWER_PX = 480
const DEFAULT_DAYS = 365
const DEFAULT_CALLS = 600

const toKey = ({ id }: ApiKey): string => String(id)

async function loadKeys(signal: AbortSignal | undefined) {
  const datalist = await listAll((limiter) => call(getApiKeys, { limiter }, { signal }), toKey)
  return { datalist, total: datalist.length }
}

/** API keys: what programs may do, until when, and when they were used. A new key is shown once. */
export function KeyList() {
  const { t } = useTranslation('system')
  const page = useRecordPage({ address, queryKey: ['api-keys'], load: loadKeys, toKey })
  const { record, isNew, close, onDone } = page
  const columns = useKeyColumns()
  const fields = useKeyFields()
  const now = useNow(60)
  const [added, setAdded] = useState<string>()
  return (
    <>
      <RecordList<ApiKey>
        name="api-keys"
        query={page.query}
        toKey={toKey}
        toName={({ name }) => name}
        columns={columns}
        searchLabel={t('apiKeys.search')}
        toSearched={({ name, account, start }) => [name, account, start]}
        controls={<ViewSwitch view="keys" />}
        url={page.url}
        onUrl={page.change}
        actions={<AddButton label={t('apiKeys.add')} onAdd={page.add} />}
        bulk={[
          {
            key: 'delete',
            label: t('apiKeys.delete'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('delete'),
            question: (rows) => t('apiKeys.deleteQuestion', { count: rows.length }),
            act: ({ id, version }) => call(deleteApiKey, { id, version }),
          },
        ]}
      />
      <RecordDrawer
        record={isNew ? NEW : undefined}
        title={t('apiKeys.add')}
        schema={addApiKey.input}
        fields={fields}
        initial={{
          readOnly: true,
          nodes: [],
          permissions: [],
          callsPerMinute: DEFAULT_CALLS,
          expiresAt: now + DEFAULT_DAYS * DAY_MS,
        }}
        onSave={async (input) => setAdded((await call(addApiKey, input)).key)}
        onDone={onDone}
        onClose={close}
      />
      <SideDrawer
        isWanted={record !== undefined}
        title={record && t('apiKeys.title', { name: record.name })}
        widthPx={DRAWER_PX}
        onClose={close}
      >
        {record && (
          <>
            <FactList
              className={styles.facts}
              facts={columns.map(({ title, render }) => [title, render(record)] as const)}
            />
            <ChangeHistory entity="api-key" entityId={toKey(record)} />
          </>
        )}
      </SideDrawer>
      {added !== undefined && <NewKeyDialog apiKey={added} onClose={() => setAdded(undefined)} />}
    </>
  )
}
