import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { addRole, editRoleModule, type Role } from '@isotherm/contract/endpoints/administration/roles'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MenuPreview } from '../../../shared/access/menu-preview.tsx'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import { call } from '../../../shared/api/client.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import type { FormBase } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { useSession } from '../../../shared/session/session-store.ts'
import { changeModules } from '../modules/change-modules.ts'
import { ModuleChoice } from './module-choice.tsx'
import { codesQuery, companiesQuery, toRoleKey } from './role-queries.ts'

const WIDTH_PX = 720

const toChosen = (value: unknown): ReadonlySet<number> =>
  new Set(Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [])

const toBase = (role: Role | undefined): FormBase => ({
  initial: { ...role },
  // A built-in role is identified by its code.
  fixed: { id: role?.id, version: role?.version, ...(role?.builtIn && { code: role.code }) },
})

interface RoleDrawerProps {
  readonly role: Role | undefined
  readonly isNew: boolean
  readonly modules: readonly ManagedModule[]
  readonly onReload: () => Promise<Role | undefined>
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Adds or edits a role: name, code, modules, and the menu that a user with it sees. */
export function RoleDrawer({ role, isNew, modules, onReload, onDone, onClose }: RoleDrawerProps) {
  const { t } = useTranslation('system')
  const toRoleName = useRoleName()
  const codes = useQuery(codesQuery)
  const companies = useQuery(companiesQuery)
  const isOfProvider = useSession(({ user }) => user?.usrUserType === '100')
  const fields = [
    { name: 'name', label: t('roles.name'), control: 'text' },
    {
      name: 'code',
      label: t('roles.code'),
      control: 'select',
      options: (codes.data ?? []).map((each) => ({
        value: each.code,
        label: `${each.code} ${toRoleName(each)}`,
      })),
      isShown: () => !role?.builtIn,
    },
    { name: 'description', label: t('roles.description'), control: 'area', emptyAs: '' },
    {
      name: 'needsSecondFactor',
      label: t('roles.needsSecondFactor'),
      control: 'switch',
      hint: t('roles.needsSecondFactorHint'),
    },
    {
      name: 'moduleIds',
      label: t('roles.modules'),
      control: 'own',
      hint: t('roles.modulesHint'),
      render: ({ value, onValue }) => (
        <ModuleChoice
          modules={modules}
          chosen={toChosen(value)}
          isEditable
          onChosen={(chosen) => onValue([...chosen])}
        />
      ),
    },
  ] as const satisfies readonly FormField<string>[]
  const preview = (chosen: ReadonlySet<number>) => (
    <MenuPreview modules={modules.filter(({ id }) => chosen.has(id))} />
  )
  const save = async (saving: Promise<Role>) => {
    const { name } = await changeModules(saving)
    showNotice('success', t('success.done', { ns: 'common', title: t('roles.saving', { name }) }))
  }
  const isEditable = role?.abilities.includes('edit') ?? false
  const shared = { widthPx: WIDTH_PX, onDone, onClose }
  return (
    <>
      <RecordDrawer
        {...shared}
        record={isNew ? NEW : undefined}
        title={t('roles.add')}
        schema={addRole.input}
        fields={[
          {
            name: 'companyId',
            label: t('roles.owner'),
            control: 'select',
            hint: t('roles.ownerHint'),
            options: (companies.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            isShown: () => isOfProvider,
          },
          ...fields,
        ]}
        initial={{ moduleIds: [] }}
        onSave={(input) => save(call(addRole, input))}
      >
        {({ moduleIds }) => preview(toChosen(moduleIds))}
      </RecordDrawer>
      <RecordDrawer
        {...shared}
        record={role && toRoleKey(role)}
        title={role && t('roles.edit', { name: toRoleName(role) })}
        schema={editRoleModule.input}
        fields={fields}
        {...toBase(role)}
        isEditable={isEditable}
        head={
          role &&
          !isEditable && (
            <>
              <p>{t('roles.readOnly')}</p>
              <ModuleChoice
                modules={modules}
                chosen={new Set(role.moduleIds)}
                isEditable={false}
                onChosen={() => {}}
              />
              {preview(new Set(role.moduleIds))}
            </>
          )
        }
        {...(role && { entity: { kind: 'role', id: toRoleKey(role) } })}
        onSave={(input) => save(call(editRoleModule, input))}
        onReload={async () => toBase(await onReload())}
      >
        {({ moduleIds }) => preview(toChosen(moduleIds))}
      </RecordDrawer>
    </>
  )
}
