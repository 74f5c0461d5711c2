import { DeleteOutlined, TableOutlined } from '@ant-design/icons'
import { deleteRole, type Role } from '@isotherm/contract/endpoints/administration/roles'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { DutiesButton } from '../../../shared/access/duties-button.tsx'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer } from '../../../shared/form/form-drawer.tsx'
import { AddButton } from '../../../shared/records/add-button.tsx'
import { createListUrl } from '../../../shared/records/list-url.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { useRoleColumns } from './role-columns.tsx'
import { RoleDrawer } from './role-drawer.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { loadRoles, modulesQuery, toRoleKey } from './role-queries.ts'

const address = createListUrl({
  filters: ['kind'],
  sorts: ['name', 'code', 'owner', 'kind', 'modules', 'accounts', 'description'],
})

/** In the address instead of the key of an open role: the matrix is open. */
const MATRIX = 'matrix'
const MATRIX_WIDTH_PX = 1_080

/** Roles: their modules, and what a user with a role sees. */
export default function RolesysPage() {
  const { t } = useTranslation('system')
  const page = useRecordPage<Role>({ address, queryKey: ['roles'], load: loadRoles, toKey: toRoleKey })
  const { url, query, change, close } = page
  const modules = useQuery(modulesQuery)
  const columns = useRoleColumns()
  const toName = useRoleName()
  const mayAdd = useIsPermitted('ps-rolesys')
  return (
    <>
      <RecordList<Role>
        name="roles"
        query={query}
        toKey={toRoleKey}
        toName={toName}
        columns={columns}
        filters={[
          {
            name: 'kind',
            label: t('roles.kind'),
            options: [
              { value: 'built-in', label: t('roles.builtIn') },
              { value: 'own', label: t('roles.own') },
            ],
          },
        ]}
        passes={({ builtIn }, _filter, value) => builtIn === (value === 'built-in')}
        searchLabel={t('roles.search')}
        toSearched={(role) => [
          toName(role),
          String(role.code),
          toName({ name: role.codeName }),
          role.description,
        ]}
        url={url}
        onUrl={change}
        actions={
          <>
            <Button
              icon={<TableOutlined />}
              data-testid="roles-matrix"
              onClick={() => change({ open: MATRIX }, { push: true })}
            >
              {t('roles.matrix')}
            </Button>
            <DutiesButton />
            {mayAdd && <AddButton label={t('roles.add')} onAdd={page.add} />}
          </>
        }
        bulk={[
          {
            key: 'delete',
            label: t('roles.delete'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ abilities }) => abilities.includes('delete'),
            question: (rows) => t('roles.deleteQuestion', { count: rows.length }),
            act: ({ id, version }) => call(deleteRole, { id, version }),
          },
        ]}
      />
      <RoleDrawer
        role={page.record}
        isNew={page.isNew}
        modules={modules.data ?? []}
        onReload={page.reload}
        onDone={page.onDone}
        onClose={close}
      />
      <FormDrawer
        isOpen={url.open === MATRIX}
        title={t('roles.matrix')}
        widthPx={MATRIX_WIDTH_PX}
        onClose={close}
      >
        {(guard) => (
          <Answer query={modules}>
            {(all) => (
              <RoleMatrix
                roles={query.data?.datalist ?? []}
                modules={all}
                guard={guard}
                onSaved={() => query.refetch()}
              />
            )}
          </Answer>
        )}
      </FormDrawer>
    </>
  )
}
