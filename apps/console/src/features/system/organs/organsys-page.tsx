import { DeleteOutlined } from '@ant-design/icons'
import {
  addOrgan,
  deleteOrgan,
  editOrgan,
  getCompanies,
  getOrgans,
  type Organisation,
} from '@isotherm/contract/endpoints/network/organisations'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import type { FormBase } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { AddButton } from '../../../shared/records/add-button.tsx'
import { createListUrl, NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { useOrganColumns } from './organ-columns.tsx'
import { useOrganFields } from './organ-fields.ts'
import { type OrganRow, toOrganRows } from './organ-tree.ts'

const address = createListUrl({
  filters: ['company'],
  sorts: ['name', 'above', 'company', 'description', 'accounts', 'parts'],
})

const toKey = ({ id }: Organisation): string => String(id)

async function loadOrgans(signal: AbortSignal | undefined) {
  const all = await listAll((limiter) => call(getOrgans, { limiter }, { signal }), toKey)
  return { datalist: toOrganRows(all), total: all.length }
}

const toBase = (record: Organisation | undefined): FormBase => ({
  initial: { ...record },
  fixed: { id: record?.id, version: record?.version },
})

const none = [] as const

/** Organisations: the parts of the companies that users belong to. */
export default function OrgansysPage() {
  const { t } = useTranslation('system')
  const page = useRecordPage<OrganRow>({ address, queryKey: ['organs'], load: loadOrgans, toKey })
  const { record, isNew, close, onDone } = page
  const { data: companies = none, isSuccess } = useQuery({
    queryKey: ['companies'],
    queryFn: ({ signal }) =>
      listAll(
        (limiter) => call(getCompanies, { limiter }, { signal }),
        ({ id }) => id,
      ),
  })
  const rows = page.query.data?.datalist ?? none
  const columns = useOrganColumns(companies)
  const fields = useOrganFields(rows, companies, record)
  const mayAdd = useIsPermitted('ps-oraigionsys') && companies.length > 0
  const [company] = companies
  const reportSaved = ({ name }: Organisation) => showNotice('success', t('organs.saved', { name }))
  return (
    <>
      <RecordList<OrganRow>
        name="organisations"
        query={page.query}
        toKey={toKey}
        toName={({ above, name }) => [...above, name].join(' / ')}
        columns={columns}
        filters={
          companies.length > 1
            ? [
                {
                  name: 'company',
                  label: t('organs.company'),
                  options: companies.map(({ id, name }) => ({ value: id, label: name })),
                },
              ]
            : []
        }
        passes={({ companyId }, _filter, value) => String(companyId) === value}
        searchLabel={t('organs.search')}
        toSearched={({ name, description }) => [name, description]}
        url={page.url}
        onUrl={page.change}
        emptyHint={isSuccess && companies.length === 0 ? t('organs.noCompany') : undefined}
        actions={mayAdd && <AddButton label={t('organs.add')} onAdd={page.add} />}
        bulk={[
          {
            key: 'delete',
            label: t('organs.delete'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('delete'),
            question: (chosen) => t('organs.deleteQuestion', { count: chosen.length }),
            act: ({ id, version }) => call(deleteOrgan, { id, version }),
          },
        ]}
      />
      <RecordDrawer
        record={isNew && mayAdd ? NEW : undefined}
        title={t('organs.add')}
        schema={addOrgan.input}
        fields={fields.added}
        initial={{}}
        fixed={companies.length === 1 && company ? { companyId: company.id } : {}}
        onSave={async (input) => reportSaved(await call(addOrgan, input))}
        onDone={onDone}
        onClose={close}
      />
      <RecordDrawer
        record={record && toKey(record)}
        title={record && t('organs.edit', { name: record.name })}
        schema={editOrgan.input}
        fields={fields.edited}
        {...toBase(record)}
        head={
          record &&
          (record.abilities.includes('delete') ? (
            <p>{t('organs.empty')}</p>
          ) : (
            <p>{t('organs.touches', { accounts: record.accountCount, parts: record.partCount })}</p>
          ))
        }
        isEditable={record?.abilities.includes('edit') ?? false}
        {...(record && { entity: { kind: 'organisation', id: toKey(record) } })}
        onSave={async (input) => reportSaved(await call(editOrgan, input))}
        onReload={async () => toBase(await page.reload())}
        onDone={onDone}
        onClose={close}
      />
    </>
  )
}
