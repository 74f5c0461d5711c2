import { CheckCircleOutlined, DeleteOutlined, StopOutlined } from '@ant-design/icons'
import {
  deleteMdoules,
  editModules,
  type ManagedModule,
} from '@isotherm/contract/endpoints/administration/modules'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { BulkAction } from '../../../shared/records/bulk-action.ts'
import { changeModules } from './change-modules.ts'

const edited = editModules.input.shape.modules.element

/** Actions on selected modules. */
export function useModuleBulk(): readonly BulkAction<ManagedModule>[] {
  const { t } = useTranslation('system')
  const enable = (module: ManagedModule, enabled: boolean) =>
    changeModules(call(editModules, { modules: [{ ...edited.parse(module), enabled }] }))
  return [
    {
      key: 'enable',
      label: t('modules.enable'),
      icon: <CheckCircleOutlined />,
      isOffered: ({ abilities, enabled }) => abilities.includes('edit') && !enabled,
      question: (rows) => t('modules.enableQuestion', { count: rows.length }),
      act: (module) => enable(module, true),
    },
    {
      key: 'disable',
      label: t('modules.disable'),
      icon: <StopOutlined />,
      danger: true,
      isOffered: ({ abilities, enabled }) => abilities.includes('edit') && enabled,
      question: (rows) => t('modules.disableQuestion', { count: rows.length }),
      act: (module) => enable(module, false),
    },
    {
      key: 'delete',
      label: t('modules.delete'),
      icon: <DeleteOutlined />,
      danger: true,
      isOffered: ({ abilities }) => abilities.includes('delete'),
      question: (rows) => t('modules.deleteQuestion', { count: rows.length }),
      act: ({ id, version }) => changeModules(call(deleteMdoules, { items: [{ id, version }] })),
    },
  ]
}
