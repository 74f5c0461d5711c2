import { DeleteOutlined } from '@ant-design/icons'
import {
  addRoleCode,
  deleteRoleCode,
  editRoleCode,
  getRoleCodes,
  type RoleCode,
} from '@isotherm/contract/endpoints/administration/role-codes'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import type { FormBase } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { AddButton } from '../../../shared/records/add-button.tsx'
import { createListUrl, NEW } from '../../../shared/records/list-url.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'

const address = createListUrl({ sorts: ['code', 'name', 'roleCount'] })

const toKey = ({ code }: RoleCode): string => String(code)

async function loadCodes(signal: AbortSignal | undefined) {
  const datalist = await listAll((limiter) => call(getRoleCodes, { limiter }, { signal }), toKey)
  return { datalist, total: datalist.length }
}

function useColumns(): readonly RecordColumn<RoleCode>[] {
  const { t } = useTranslation('system')
  const toName = useRoleName()
  return [
    { key: 'code', title: t('roleCodes.code'), widthPx: 100, value: ({ code }) => code, render: toKey },
    {
      key: 'name',
      title: t('roleCodes.name'),
      widthPx: 200,
      value: toName,
      render: toName,
    },
    {
      key: 'description',
      title: t('roleCodes.description'),
      widthPx: 360,
      value: ({ description }) => description,
      render: ({ description }) => description,
    },
    {
      key: 'roleCount',
      title: t('roleCodes.roleCount'),
      widthPx: 120,
      align: 'end',
      value: ({ roleCount }) => roleCount,
      render: ({ roleCount }) => roleCount,
    },
  ]
}

const toBase = (record: RoleCode | undefined): FormBase => ({
  initial: { ...record },
  fixed: { code: record?.code, version: record?.version },
})

/** Role codes with their meanings. */
export default function RolecodesysPage() {
  const { t } = useTranslation('system')
  const page = useRecordPage({ address, queryKey: ['role-codes'], load: loadCodes, toKey })
  const { record, isNew, close, onDone } = page
  const mayAdd = useIsPermitted('ps-rolecodesys')
  const columns = useColumns()
  const fields = [
    { name: 'name', label: t('roleCodes.name'), control: 'text' },
    { name: 'description', label: t('roleCodes.description'), control: 'area', emptyAs: '' },
  ] as const satisfies readonly FormField<string>[]
  const reportSaved = ({ code }: RoleCode) => showNotice('success', t('roleCodes.saved', { code }))
  return (
    <>
      <RecordList<RoleCode>
        name="role-codes"
        query={page.query}
        toKey={toKey}
        toName={({ code, name }) => `${code} ${name}`}
        columns={columns}
        searchLabel={t('roleCodes.search')}
        toSearched={({ code, name, description }) => [String(code), name, description]}
        url={page.url}
        onUrl={page.change}
        actions={mayAdd && <AddButton label={t('roleCodes.add')} onAdd={page.add} />}
        bulk={[
          {
            key: 'delete',
            label: t('roleCodes.delete'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('delete'),
            question: (rows) => t('roleCodes.deleteQuestion', { count: rows.length }),
            act: ({ code, version }) => call(deleteRoleCode, { code, version }),
          },
        ]}
      />
      <RecordDrawer
        record={isNew ? NEW : undefined}
        title={t('roleCodes.add')}
        schema={addRoleCode.input}
        fields={[
          { name: 'code', label: t('roleCodes.code'), control: 'number', hint: t('roleCodes.codeHint') },
          ...fields,
        ]}
        initial={{}}
        onSave={async (input) => reportSaved(await call(addRoleCode, input))}
        onDone={onDone}
        onClose={close}
      />
      <RecordDrawer
        record={record && toKey(record)}
        title={record && t('roleCodes.edit', { code: record.code })}
        schema={editRoleCode.input}
        fields={fields}
        {...toBase(record)}
        isEditable={record?.abilities.includes('edit') ?? false}
        {...(record && { entity: { kind: 'role-code', id: toKey(record) } })}
        onSave={async (input) => reportSaved(await call(editRoleCode, input))}
        onReload={async () => toBase(await page.reload())}
        onDone={onDone}
        onClose={close}
      />
    </>
  )
}
