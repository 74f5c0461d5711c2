import { editUser, type User } from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { forAccount } from '../for-account.ts'
import { toEdit } from '../form/to-edit.ts'
import { type UserFieldsInput, useUserFields } from '../form/user-fields.tsx'

interface UserEditProps extends Omit<UserFieldsInput, 'givesRights' | 'type'> {
  readonly user: User
  readonly guard: FormGuard
  /** Loads the newest state of the user. */
  readonly onReload: () => Promise<User | undefined>
  readonly onDone: () => void
}

/** Edits name, telephone number, organisation, parent and roles of a user. */
export function UserEdit({ guard, onReload, onDone, ...input }: UserEditProps) {
  const { user, users } = input
  const { t } = useTranslation('users')
  const givesRights = user.abilities.includes('give-roles')
  const type = user.usrUserType
  const fields = useUserFields({ ...input, type, givesRights })
  const toBase = (newest: User): FormBase => ({
    initial: {
      name: newest.name,
      tel: newest.tel,
      organisationId: newest.organisationId ?? undefined,
      secAccount: users.find(({ id }) => id === newest.parentId)?.account,
      roleIds: newest.roles.map(({ id }) => id),
      seesAll: newest.seesAll,
    },
    fixed: { id: newest.id, version: newest.version },
  })
  const { initial } = toBase(user)
  return (
    <SchemaForm<typeof editUser.input>
      submit={t('save')}
      schema={editUser.input}
      fields={fields}
      {...toBase(user)}
      onSave={async (entered) => {
        await forAccount(user.account, call(editUser, toEdit(entered, initial)))
        showNotice('success', t('success.edited', { ns: 'common', account: user.account }))
      }}
      onReload={async () => toBase((await onReload()) ?? user)}
      onDone={onDone}
      {...guard}
    />
  )
}
