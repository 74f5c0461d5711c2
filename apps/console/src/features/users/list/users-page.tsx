import { CheckCircleOutlined, DeleteOutlined, StopOutlined } from '@ant-design/icons'
import {
  deleteUsers,
  editUserEnableState,
  type User,
} from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { AddButton } from '../../../shared/records/add-button.tsx'
import type { BulkAction } from '../../../shared/records/bulk-action.ts'
import { createListUrl, NEW } from '../../../shared/records/list-url.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { UserDrawer } from '../drawer/user-drawer.tsx'
import { RegisterDrawer } from '../form/register-drawer.tsx'
import { PasswordPolicyButton } from '../policy/password-policy-button.tsx'
import { loadUsers, useAssignable } from '../user-queries.ts'
import { toUserKey, toUserName, typeOfView, type UserView } from '../user-views.ts'
import { useUserColumns } from './user-columns.tsx'
import { passesUserFilter, useUserFilters } from './user-filters.ts'

const address = createListUrl({
  filters: ['state', 'role', 'company', 'parent'],
  sorts: ['account', 'name', 'state', 'roles', 'company', 'organisation', 'parent', 'tel', 'createdAt'],
})

const noUsers: readonly User[] = []

/** Actions on selected users. A deleted account takes its sub-accounts with it. */
function useBulk(users: readonly User[], picked: readonly string[]): readonly BulkAction<User>[] {
  const { t } = useTranslation('users')
  const subAccountsOf = (rows: readonly User[]) =>
    users.filter(({ parentId }) => rows.some(({ id }) => id === parentId))
  const setState =
    (state: 0 | 1) =>
    ({ id, version }: User) =>
      call(editUserEnableState, { id, version, state })
  return [
    {
      key: 'enable',
      label: t('enable.label'),
      icon: <CheckCircleOutlined />,
      isOffered: ({ abilities, enabled }) => abilities.includes('enable') && !enabled,
      question: (rows) => t('enable.bulkQuestion', { count: rows.length }),
      act: setState(1),
    },
    {
      key: 'disable',
      label: t('disable.label'),
      icon: <StopOutlined />,
      isOffered: ({ abilities, enabled }) => abilities.includes('enable') && enabled,
      question: (rows) =>
        t('disable.bulkQuestion', { count: rows.length, subAccounts: subAccountsOf(rows).length }),
      act: setState(0),
    },
    {
      key: 'delete',
      label: t('delete.label'),
      icon: <DeleteOutlined />,
      danger: true,
      isOffered: ({ abilities }) => abilities.includes('remove'),
      question: (rows) =>
        t('delete.bulkQuestion', { count: rows.length, subAccounts: subAccountsOf(rows).length }),
      // A selected sub-account of a selected account is deleted with that account.
      act: async (user) => {
        if (picked.includes(String(user.parentId))) return
        const items = [user, ...subAccountsOf([user])].map(({ id, version }) => ({ id, version }))
        await call(deleteUsers, { items })
      },
    },
  ]
}

/** The users of one kind: search, registration, and everything about one user in a drawer. */
export function UsersPage({ view }: { readonly view: UserView }) {
  const { t } = useTranslation('users')
  const type = typeOfView[view]
  const page = useRecordPage<User>({
    address,
    queryKey: ['users', type],
    load: (signal) => loadUsers(type, signal),
    toKey: toUserKey,
  })
  const { url, query, change, close, onDone } = page
  const caller = useSession(({ user }) => user)
  const users = query.data?.datalist ?? noUsers
  const assignable = useAssignable()
  const byId = new Map(users.map((user) => [user.id, user]))
  const columns = useUserColumns(type, assignable, byId)
  const filters = useUserFilters(users, assignable)
  const bulk = useBulk(users, url.picked)
  const isProvider = caller?.usrUserType === '100'
  // The first user of a company comes after the company.
  const waits = type === '01' && isProvider && assignable.lacksCompany
  const mayAdd = !waits && (type === '01' || isProvider)
  const callerSeesAll = users.some(({ id, seesAll }) => id === caller?.id && seesAll)
  const shared = { users, assignable, callerSeesAll, onDone }
  return (
    <>
      <RecordList<User>
        name={view}
        query={query}
        toKey={toUserKey}
        toName={toUserName}
        columns={columns}
        filters={filters}
        passes={passesUserFilter}
        searchLabel={t('search')}
        toSearched={({ account, name, tel }) => [account, name, tel]}
        url={url}
        onUrl={change}
        actions={
          <>
            <PasswordPolicyButton type={type} companies={assignable.companies} />
            {mayAdd && <AddButton label={t('register')} onAdd={page.add} />}
          </>
        }
        emptyHint={t(waits ? 'noCompany' : mayAdd ? 'emptyHint' : 'onlyProvider')}
        bulk={bulk}
      />
      <RegisterDrawer
        {...shared}
        isOpen={url.open === NEW && mayAdd}
        type={type}
        parent={byId.get(Number(url.filters.parent))}
        onClose={close}
      />
      <UserDrawer
        {...shared}
        user={page.record}
        onReload={page.reload}
        onOpen={(user) => change({ open: toUserKey(user) }, { push: true })}
        onAddSubAccount={(user) =>
          change({ open: NEW, filters: { parent: toUserKey(user) } }, { push: true })
        }
        onClose={close}
      />
    </>
  )
}
