import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { useTranslation } from 'react-i18next'
import type { FormField } from '../../../shared/form/form-field.ts'
import { useModuleName } from './use-module-name.ts'

/** Fields of the forms: of a built-in module only what can change, of an added one also its place and address. */
export function useModuleFields(modules: readonly ManagedModule[]) {
  const { t } = useTranslation('system')
  const toName = useModuleName()
  const place = [
    {
      name: 'parentId',
      label: t('modules.group'),
      hint: t('modules.groupHint'),
      control: 'select',
      options: modules
        .filter(({ parentId }) => parentId === null)
        .map((module) => ({ value: module.id, label: toName(module) })),
      emptyAs: null,
    },
    {
      name: 'url',
      label: t('modules.url'),
      hint: t('modules.urlHint'),
      wrongText: t('modules.urlWrong'),
      control: 'text',
    },
  ] as const satisfies readonly FormField<string>[]
  const name = {
    name: 'name',
    label: t('modules.name'),
    hint: t('modules.nameHint'),
    control: 'text',
  } as const
  const rest = [
    {
      name: 'icon',
      label: t('modules.icon'),
      hint: t('modules.iconHint'),
      control: 'text',
      emptyAs: '',
    },
    { name: 'sort', label: t('modules.sort'), hint: t('modules.sortHint'), control: 'number' },
    { name: 'enabled', label: t('modules.enabled'), control: 'switch' },
  ] as const satisfies readonly FormField<string>[]
  return { builtIn: [name, ...rest], own: [name, ...place, ...rest] } as const
}
