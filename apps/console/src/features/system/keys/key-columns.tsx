import type { ApiKey } from '@isotherm/contract/endpoints/administration/api-keys'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { type RecordColumn, toTextColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { toPermissionName } from './permission-text.ts'

const toText = toTextColumn<ApiKey>

/** Columns of the list of API keys. */
export function useKeyColumns(): readonly RecordColumn<ApiKey>[] {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const format = useFormat()
  const now = useNow(60)
  return useMemo(() => {
    const toInstant = (
      key: string,
      title: string,
      read: (apiKey: ApiKey) => number | null,
    ): RecordColumn<ApiKey> => {
      const text = (apiKey: ApiKey) => {
        const at = read(apiKey)
        return at === null ? t('apiKeys.unused') : format.instant(at)
      }
      return { key, title, widthPx: 170, value: (apiKey) => read(apiKey) ?? 0, text, render: text }
    }
    return [
      toText('name', t('apiKeys.name'), 160, ({ name }) => name),
      toText('start', t('apiKeys.start'), 100, ({ start }) => `${start}…`),
      toText('account', t('apiKeys.account'), 110, ({ account }) => account),
      toText('permissions', t('apiKeys.permissions'), 220, ({ permissions }) =>
        permissions.map((permission) => toPermissionName(permission, language)).join(', '),
      ),
      toText('access', t('apiKeys.access'), 110, ({ readOnly }) =>
        t(readOnly ? 'apiKeys.readOnly' : 'apiKeys.changes'),
      ),
      toText('nodes', t('apiKeys.nodes'), 200, ({ nodes }) => nodes?.join('; ') ?? t('apiKeys.everything')),
      {
        key: 'perMinute',
        title: t('apiKeys.perMinute'),
        widthPx: 130,
        align: 'end',
        value: ({ callsPerMinute }) => callsPerMinute,
        render: ({ callsPerMinute }) => format.number(callsPerMinute, 0),
      },
      {
        ...toInstant('expiresAt', t('apiKeys.expiresAt'), ({ expiresAt }) => expiresAt),
        render: ({ expiresAt }) =>
          expiresAt > now ? (
            format.instant(expiresAt)
          ) : (
            <StateBadge state="failed">{t('apiKeys.expired')}</StateBadge>
          ),
      },
      toInstant('lastUsedAt', t('apiKeys.lastUsedAt'), ({ lastUsedAt }) => lastUsedAt),
      { ...toInstant('createdAt', t('apiKeys.createdAt'), ({ createdAt }) => createdAt), isExtra: true },
    ]
  }, [t, language, format, now])
}
