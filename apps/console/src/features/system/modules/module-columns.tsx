import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { useModuleName } from './use-module-name.ts'

/** Modules in the order of the menu: each group, followed by its pages. */
export function toMenuOrder(modules: readonly ManagedModule[]): readonly ManagedModule[] {
  const ordered = [...modules].sort((left, right) => left.sort - right.sort || left.id - right.id)
  const ids = new Set(modules.map(({ id }) => id))
  const top = ordered.filter(({ parentId }) => parentId === null || !ids.has(parentId))
  return top.flatMap((group) => [group, ...ordered.filter(({ parentId }) => parentId === group.id)])
}

/** Columns of the list of modules. */
export function useModuleColumns(modules: readonly ManagedModule[]): readonly RecordColumn<ManagedModule>[] {
  const { t } = useTranslation('system')
  const toName = useModuleName()
  return useMemo(() => {
    const names = new Map(modules.map((module) => [module.id, toName(module)]))
    const groupOf = ({ parentId }: ManagedModule) => (parentId === null ? '' : (names.get(parentId) ?? ''))
    const stateOf = ({ enabled }: ManagedModule) => t(enabled ? 'modules.enabled' : 'modules.disabled')
    const typeOf = ({ builtIn }: ManagedModule) => t(builtIn ? 'modules.builtInYes' : 'modules.builtInNo')
    return [
      {
        key: 'name',
        title: t('modules.name'),
        widthPx: 220,
        value: toName,
        render: (module) => (module.parentId === null ? <strong>{toName(module)}</strong> : toName(module)),
      },
      { key: 'group', title: t('modules.group'), widthPx: 140, value: groupOf, render: groupOf },
      {
        key: 'url',
        title: t('modules.url'),
        widthPx: 240,
        value: ({ url }) => url,
        render: ({ url }) => url,
      },
      {
        key: 'sort',
        title: t('modules.sort'),
        widthPx: 90,
        align: 'end',
        value: ({ sort }) => sort,
        render: ({ sort }) => sort,
      },
      {
        key: 'enabled',
        title: t('modules.state'),
        widthPx: 100,
        value: stateOf,
        render: (module) => <StateBadge state={module.enabled ? 'on' : 'off'}>{stateOf(module)}</StateBadge>,
      },
      { key: 'builtIn', title: t('modules.builtIn'), widthPx: 110, value: typeOf, render: typeOf },
      {
        key: 'icon',
        title: t('modules.icon'),
        widthPx: 160,
        isExtra: true,
        isOnCard: false,
        value: ({ icon }) => icon,
        render: ({ icon }) => icon,
      },
    ]
  }, [modules, t, toName])
}
