import {
  addModules,
  editModules,
  getAllModulesP,
  type ManagedModule,
} from '@isotherm/contract/endpoints/administration/modules'
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
import { changeModules } from './change-modules.ts'
import { useModuleBulk } from './module-bulk.tsx'
import { toMenuOrder, useModuleColumns } from './module-columns.tsx'
import { useModuleFields } from './module-fields.ts'
import { useModuleName } from './use-module-name.ts'

const address = createListUrl({
  filters: ['group', 'state'],
  sorts: ['name', 'group', 'url', 'sort', 'enabled', 'builtIn'],
})
const added = addModules.input.shape.modules.element
const edited = editModules.input.shape.modules.element

const toKey = ({ id }: ManagedModule): string => String(id)

async function loadModules(signal: AbortSignal | undefined) {
  const all = await listAll((limiter) => call(getAllModulesP, { limiter }, { signal }), toKey)
  return { datalist: toMenuOrder(all), total: all.length }
}

const toBase = (record: ManagedModule | undefined): FormBase => ({
  initial: { ...record },
  fixed: {
    id: record?.id,
    version: record?.version,
    ...(record?.builtIn && { url: record.url, parentId: record.parentId }),
  },
})

/** Steps between the positions of new modules, so that others fit between them. */
const SORT_STEP = 10

const none: readonly ManagedModule[] = []

/** Modules: the pages and groups of the menu, their names, order and states. */
export default function ModelsysPage() {
  const { t } = useTranslation('system')
  const page = useRecordPage({ address, queryKey: ['modules'], load: loadModules, toKey })
  const { record, isNew, close, onDone } = page
  const modules = page.query.data?.datalist ?? none
  const columns = useModuleColumns(modules)
  const fields = useModuleFields(modules)
  const bulk = useModuleBulk()
  const toName = useModuleName()
  const mayAdd = modules.some(({ abilities }) => abilities.includes('edit'))
  const last = Math.max(0, ...modules.map(({ sort }) => sort))
  const reportSaved = (name: string) => showNotice('success', t('modules.saved', { name }))
  const states = [
    { value: 'enabled', label: t('modules.enabled') },
    { value: 'disabled', label: t('modules.disabled') },
  ]
  return (
    <>
      <RecordList<ManagedModule>
        name="modules"
        query={page.query}
        toKey={toKey}
        toName={toName}
        columns={columns}
        filters={[
          { name: 'group', label: t('modules.group'), options: fields.own[1].options },
          { name: 'state', label: t('modules.state'), options: states },
        ]}
        passes={({ id, parentId, enabled }, filter, value) =>
          filter === 'group' ? [id, parentId].includes(Number(value)) : enabled === (value === 'enabled')
        }
        searchLabel={t('modules.search')}
        toSearched={(module) => [toName(module), module.url]}
        url={page.url}
        onUrl={page.change}
        actions={mayAdd && <AddButton label={t('modules.add')} onAdd={page.add} />}
        bulk={bulk}
      />
      <RecordDrawer
        record={isNew ? NEW : undefined}
        title={t('modules.add')}
        schema={added}
        fields={fields.own}
        initial={{ enabled: true, sort: last + SORT_STEP }}
        onSave={async (input) => {
          await changeModules(call(addModules, { modules: [input] }))
          reportSaved(input.name)
        }}
        onDone={onDone}
        onClose={close}
      />
      <RecordDrawer
        record={record && toKey(record)}
        title={record && t('modules.edit', { name: toName(record) })}
        schema={edited}
        fields={record?.builtIn ? fields.builtIn : fields.own}
        {...toBase(record)}
        isEditable={record?.abilities.includes('edit') ?? false}
        {...(record && { entity: { kind: 'module', id: toKey(record) } })}
        onSave={async (input) => {
          await changeModules(call(editModules, { modules: [input] }))
          reportSaved(input.name)
        }}
        onReload={async () => toBase(await page.reload())}
        onDone={onDone}
        onClose={close}
      />
    </>
  )
}
