import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { Checkbox, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useModuleName } from '../modules/use-module-name.ts'
import styles from './roles.module.css'
import { toggleModule } from './toggle-module.ts'
import { useMayGive } from './use-may-give.ts'

interface ModuleChoiceProps {
  /** In menu order. */
  readonly modules: readonly ManagedModule[]
  readonly chosen: ReadonlySet<number>
  readonly isEditable: boolean
  readonly onChosen: (chosen: ReadonlySet<number>) => void
}

/** The modules of a role as checkboxes, each group with its pages. */
export function ModuleChoice({ modules, chosen, isEditable, onChosen }: ModuleChoiceProps) {
  const { t } = useTranslation('system')
  const nameOf = useModuleName()
  const mayGive = useMayGive(modules)
  const toBox = (module: ManagedModule, pages: readonly ManagedModule[]) => {
    const { id, url, enabled } = module
    const isChosen = chosen.has(id)
    const isPart = isChosen && pages.some((page) => !chosen.has(page.id))
    return (
      <Checkbox
        key={id}
        data-testid={`module-${url}`}
        checked={isChosen}
        indeterminate={isPart}
        disabled={!isEditable || (!isChosen && !mayGive(id))}
        onChange={() => onChosen(toggleModule(modules, chosen, { id, isOn: !isChosen || isPart, mayGive }))}
      >
        {nameOf(module)} {!enabled && <Tag>{t('modules.disabled')}</Tag>}
      </Checkbox>
    )
  }
  const groups = modules.filter(({ parentId }) => parentId === null)
  return (
    <div className={styles.groups}>
      {groups.map((group) => {
        const pages = modules.filter(({ parentId }) => parentId === group.id)
        return (
          <fieldset key={group.id} className={styles.group}>
            <legend>{toBox(group, pages)}</legend>
            <div className={styles.pages}>{pages.map((page) => toBox(page, []))}</div>
          </fieldset>
        )
      })}
    </div>
  )
}
