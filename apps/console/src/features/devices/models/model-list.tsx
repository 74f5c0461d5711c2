import { DeleteOutlined } from '@ant-design/icons'
import type { DeviceKind } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/devices/device-access'
import {
  addDevModel,
  type DeviceModel,
  deleteDevModel,
  editDevModel,
  getAllDevModels,
} from '@isotherm/contract/endpoints/devices/device-models'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormBase } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { AddButton } from '../../../shared/records/add-button.tsx'
import { NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { useModelColumns, useModelFields } from './model-columns.tsx'
import { createViewAddress } from './registry-view.ts'
import { ViewSwitch } from './view-switch.tsx'

const address = createViewAddress('models', ['name', 'kind', 'maker', 'profile'])

const toKey = ({ id }: DeviceModel): string => String(id)

const toBase = (record: DeviceModel | undefined): FormBase => ({
  initial: { ...record },
  fixed: { id: record?.id, version: record?.version },
})

/** Models of the devices of a page, with the profile by which they are read. */
export default function ModelList({ kinds }: { readonly kinds: readonly [DeviceKind, ...DeviceKind[]] }) {
  const { t } = useTranslation('devices')
  const page = useRecordPage<DeviceModel>({
    address,
    queryKey: ['devices', 'models', 'of', ...kinds],
    async load(signal) {
      const { datalist } = await call(getAllDevModels, {}, { signal })
      const own = datalist.filter(({ kind }) => kinds.includes(kind))
      return { datalist: own, total: own.length }
    },
    toKey,
  })
  const { record, isNew, close, onDone } = page
  const mayAdd = useIsPermitted(managingPages[kinds[0]])
  const columns = useModelColumns(kinds)
  const fields = useModelFields(record ? [record.kind] : kinds)
  const reportSaved = ({ name }: DeviceModel) => showNotice('success', t('registry.modelSaved', { name }))
  return (
    <>
      <RecordList<DeviceModel>
        name="device-models"
        query={page.query}
        toKey={toKey}
        toName={({ name }) => name}
        columns={columns}
        searchLabel={t('registry.searchModels')}
        toSearched={({ name, maker, description, profile = '' }) => [name, maker, description, profile]}
        controls={<ViewSwitch view="models" />}
        url={page.url}
        onUrl={page.change}
        actions={mayAdd && <AddButton label={t('registry.addModel')} onAdd={page.add} />}
        bulk={[
          {
            key: 'delete',
            label: t('registry.deleteModel'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('remove'),
            question: (rows) => t('registry.deleteModelQuestion', { count: rows.length }),
            act: ({ id, version }) => call(deleteDevModel, { id, version }),
          },
        ]}
      />
      <RecordDrawer
        record={isNew ? NEW : undefined}
        title={t('registry.addModel')}
        schema={addDevModel.input}
        fields={fields.added}
        initial={{ kind: kinds[0] }}
        fixed={kinds.length === 1 ? { kind: kinds[0] } : {}}
        onSave={async (input) => reportSaved(await call(addDevModel, input))}
        onDone={onDone}
        onClose={close}
      />
      <RecordDrawer
        record={record && toKey(record)}
        title={record && t('registry.model', { name: record.name })}
        schema={editDevModel.input}
        fields={fields.edited}
        {...toBase(record)}
        head={record?.abilities.length === 0 && <p>{t('registry.shared')}</p>}
        isEditable={record?.abilities.includes('edit') ?? false}
        {...(record && { entity: { kind: 'device-model', id: toKey(record) } })}
        onSave={async (input) => reportSaved(await call(editDevModel, input))}
        onReload={async () => toBase(await page.reload())}
        onDone={onDone}
        onClose={close}
      />
    </>
  )
}
