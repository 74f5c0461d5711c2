import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { editRoleModule, type Role } from '@isotherm/contract/endpoints/administration/roles'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { changeModules } from '../modules/change-modules.ts'
import { useModuleName } from '../modules/use-module-name.ts'
import styles from './roles.module.css'
import { toggleModule } from './toggle-module.ts'
import { useMayGive } from './use-may-give.ts'

interface RoleMatrixProps {
  readonly roles: readonly Role[]
  /** In menu order. */
  readonly modules: readonly ManagedModule[]
  readonly guard: FormGuard
  /** Loads the roles again. */
  readonly onSaved: () => Promise<unknown>
}

type Changes = ReadonlyMap<number, ReadonlySet<number>>

const noChanges: Changes = new Map()

interface Outcome {
  readonly left: Changes
  readonly failures: readonly string[]
}

/** All roles beside each other, with a checkbox for each module. Changed roles are saved one after the other. */
export function RoleMatrix({ roles, modules, guard, onSaved }: RoleMatrixProps) {
  const { t } = useTranslation('system')
  const nameOf = useModuleName()
  const toRoleName = useRoleName()
  const mayGive = useMayGive(modules)
  const { onDirty, onCancel } = guard
  const [changes, setChanges] = useState<Changes>(noChanges)
  useEffect(() => onDirty(changes.size > 0), [onDirty, changes])
  const chosenOf = (role: Role): ReadonlySet<number> => changes.get(role.id) ?? new Set(role.moduleIds)
  const saving = useMutation({
    async mutationFn(): Promise<Outcome> {
      const failures: string[] = []
      const left = new Map(changes)
      for (const role of roles) {
        const chosen = changes.get(role.id)
        if (!chosen) continue
        const { id, version, name, code, description } = role
        try {
          await call(editRoleModule, { id, version, name, code, description, moduleIds: [...chosen] })
          left.delete(id)
        } catch (error) {
          failures.push(`${name}: ${toFailureText(error)}`)
        }
      }
      await changeModules(onSaved())
      return { left, failures }
    },
    onSuccess({ left, failures }) {
      setChanges(left)
      if (failures.length === 0)
        showNotice('success', t('success.done', { ns: 'common', title: t('roles.matrixSave') }))
    },
  })
  const toggle = (role: Role, id: number, isOn: boolean) =>
    setChanges(new Map(changes).set(role.id, toggleModule(modules, chosenOf(role), { id, isOn, mayGive })))
  return (
    <>
      {saving.data && saving.data.failures.length > 0 && (
        <Alert type="error" showIcon title={saving.data.failures.join('; ')} />
      )}
      <div className={styles.scroll}>
        <table className={styles.matrix} data-testid="role-matrix">
          <thead>
            <tr>
              <th scope="col">{t('roles.module')}</th>
              {roles.map((role) => (
                <th key={role.id} scope="col">
                  {toRoleName(role)}
                  {changes.has(role.id) && ' *'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {modules.map((module) => (
              <tr key={module.id} className={module.parentId === null ? styles.parent : undefined}>
                <th scope="row">
                  <span className={module.parentId === null ? undefined : styles.child}>
                    {nameOf(module)}
                  </span>
                </th>
                {roles.map((role) => {
                  const isOn = chosenOf(role).has(module.id)
                  return (
                    <td key={role.id}>
                      <Checkbox
                        aria-label={`${toRoleName(role)}: ${nameOf(module)}`}
                        checked={isOn}
                        disabled={!role.abilities.includes('edit') || (!isOn && !mayGive(module.id))}
                        onChange={() => toggle(role, module.id, !isOn)}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.end}>
        <Button onClick={onCancel}>{t('form.cancel', { ns: 'common' })}</Button>
        <Button
          type="primary"
          disabled={changes.size === 0}
          loading={saving.isPending}
          data-testid="matrix-save"
          onClick={() => saving.mutate()}
        >
          {t('roles.matrixSaveCount', { count: changes.size })}
        </Button>
      </div>
    </>
  )
}
