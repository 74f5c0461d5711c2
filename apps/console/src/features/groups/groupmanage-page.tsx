import { ControlOutlined, DeleteOutlined } from '@ant-design/icons'
import {
  type DeviceGroup,
  deleteCtlGroup,
  insertCtlGroup,
  updateCtlGroup,
} from '@isotherm/contract/endpoints/devices/device-groups'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../shared/api/client.ts'
import { deviceGroupsKey, loadDeviceGroups, toGroupKey } from '../../shared/devices/device-groups.ts'
import type { FormField } from '../../shared/form/form-field.ts'
import type { FormBase } from '../../shared/form/schema-form.tsx'
import { showNotice } from '../../shared/notices/notices.ts'
import { AddButton } from '../../shared/records/add-button.tsx'
import { createListUrl, NEW } from '../../shared/records/list-url.ts'
import { RecordDrawer } from '../../shared/records/record-drawer.tsx'
import { RecordList } from '../../shared/records/record-list.tsx'
import { useRecordPage } from '../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { useGroupColumns } from './group-columns.tsx'
import { MemberField } from './members/member-field.tsx'
import { Members } from './members/members.tsx'

const address = createListUrl({ sorts: ['name', 'devices', 'valves'] })

const toBase = (record: DeviceGroup | undefined): FormBase => ({
  initial: { ...record },
  fixed: { id: record?.id, version: record?.version },
})

/** Shown above the form of a group: why the user may only view it, and a link to its control page. */
function GroupHead({ group }: { readonly group: DeviceGroup }) {
  const { t } = useTranslation('groups')
  const mayControl = useIsPermitted('pg-groupctl') && group.abilities.includes('control')
  return (
    <>
      {mayControl && (
        <p>
          <Link to={`/group/groupctl?group=${group.id}`} data-testid="group-control">
            <ControlOutlined /> {t('list.control')}
          </Link>
        </p>
      )}
      {!group.abilities.includes('edit') && (
        <>
          <Alert type="info" showIcon title={t('list.partly')} />
          <p>{group.description}</p>
          <Members ids={group.deviceIds} />
        </>
      )}
    </>
  )
}

/** Device groups: any sets of devices across the tree. */
export default function GroupmanagePage() {
  const { t } = useTranslation('groups')
  const page = useRecordPage({
    address,
    queryKey: deviceGroupsKey,
    load: loadDeviceGroups,
    toKey: toGroupKey,
  })
  const { record, isNew, close, onDone } = page
  const mayAdd = useIsPermitted('pg-groupmanage')
  const columns = useGroupColumns()
  const fields = [
    { name: 'name', label: t('list.name'), control: 'text' },
    { name: 'description', label: t('list.description'), control: 'area', emptyAs: '' },
    {
      name: 'deviceIds',
      label: t('list.members'),
      control: 'own',
      render: (props) => <MemberField {...props} />,
    },
  ] as const satisfies readonly FormField<string>[]
  const reportSaved = ({ name }: DeviceGroup) => showNotice('success', t('list.saved', { name }))
  return (
    <>
      <RecordList<DeviceGroup>
        name="device-groups"
        query={page.query}
        toKey={toGroupKey}
        toName={({ name }) => name}
        columns={columns}
        searchLabel={t('list.search')}
        toSearched={({ name, description }) => [name, description]}
        emptyHint={t('list.none')}
        url={page.url}
        onUrl={page.change}
        actions={mayAdd && <AddButton label={t('list.add')} onAdd={page.add} />}
        bulk={[
          {
            key: 'delete',
            label: t('list.delete'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('remove'),
            question: (rows) =>
              t('list.deleteQuestion', {
                count: rows.length,
                devices: new Set(rows.flatMap(({ deviceIds }) => deviceIds)).size,
              }),
            act: ({ id, version }) => call(deleteCtlGroup, { items: [{ id, version }] }),
          },
        ]}
      />
      <RecordDrawer
        record={isNew ? NEW : undefined}
        title={t('list.add')}
        schema={insertCtlGroup.input}
        fields={fields}
        initial={{}}
        onSave={async (input) => reportSaved(await call(insertCtlGroup, input))}
        onDone={onDone}
        onClose={close}
      />
      <RecordDrawer
        record={record && toGroupKey(record)}
        title={record && t('list.edit', { name: record.name })}
        schema={updateCtlGroup.input}
        fields={fields}
        {...toBase(record)}
        head={record && <GroupHead group={record} />}
        isEditable={record?.abilities.includes('edit') ?? false}
        {...(record && { entity: { kind: 'device-group', id: toGroupKey(record) } })}
        onSave={async (input) => reportSaved(await call(updateCtlGroup, input))}
        onReload={async () => toBase(await page.reload())}
        onDone={onDone}
        onClose={close}
      />
    </>
  )
}
