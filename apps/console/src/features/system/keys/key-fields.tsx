import {
  type addApiKey,
  keyPermissions,
  MAX_KEY_DAYS,
  SEND_READINGS,
  SENDERS_PERMISSION,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { FormField } from '../../../shared/form/form-field.ts'
import { toLocalInput } from '../../../shared/format/local-input.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { InstantInput } from '../../../shared/inputs/instant-input.tsx'
import { useSession } from '../../../shared/session/session-store.ts'
import { toPermissionText } from './permission-text.ts'

type KeyField = FormField<keyof z.input<typeof addApiKey.input>>

/** Fields of a new key. Only permissions that the user has can be chosen. */
export function useKeyFields(): readonly KeyField[] {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const permitted = useSession((session) => session.permitted)
  return [
    { name: 'name', label: t('apiKeys.name'), hint: t('apiKeys.nameHint'), control: 'text' },
    {
      name: 'permissions',
      label: t('apiKeys.permissions'),
      hint: t('apiKeys.permissionsHint'),
      control: 'multi',
      options: keyPermissions
        .filter((permission) => permitted.has(permission === SEND_READINGS ? SENDERS_PERMISSION : permission))
        .map((value) => ({ value, label: toPermissionText(value, language) })),
    },
    { name: 'readOnly', label: t('apiKeys.readOnly'), hint: t('apiKeys.readOnlyHint'), control: 'switch' },
    { name: 'nodes', label: t('apiKeys.nodes'), hint: t('apiKeys.nodesHint'), control: 'nodes' },
    {
      name: 'callsPerMinute',
      label: t('apiKeys.perMinute'),
      control: 'number',
      unit: t('apiKeys.perMinuteUnit'),
    },
    {
      name: 'expiresAt',
      label: t('apiKeys.expiresAt'),
      hint: t('apiKeys.expiresHint', { days: MAX_KEY_DAYS }),
      control: 'own',
      render: ({ id, value, isFaulty, onValue }) => (
        <InstantInput
          id={id}
          step={1}
          data-testid="field-expiresAt"
          aria-invalid={isFaulty}
          value={typeof value === 'number' ? toLocalInput(value) : ''}
          onValue={(text) => onValue(text === '' ? undefined : Date.parse(text))}
        />
      ),
    },
  ]
}
