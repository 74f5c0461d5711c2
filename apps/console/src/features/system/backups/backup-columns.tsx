import type { BackupRun } from '@isotherm/contract/endpoints/administration/backups'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type RecordColumn, toNumberColumn, toTextColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { toBadge, toDuration, toFault, toSize } from './backup-text.ts'

const toText = toTextColumn<BackupRun>
const toNumber = toNumberColumn<BackupRun>

/** Columns of the list of backups. */
export function useBackupColumns(): readonly RecordColumn<BackupRun>[] {
  const { t } = useTranslation('system')
  const format = useFormat()
  return useMemo(() => {
    return [
      {
        key: 'startedAt',
        title: t('backups.startedAt'),
        widthPx: 180,
        value: ({ startedAt }) => startedAt,
        text: ({ startedAt }) => format.instant(startedAt),
        render: ({ startedAt }) => format.instant(startedAt),
      },
      {
        ...toText('state', t('backups.state'), 110, ({ state }) => t(`backups.states.${state}`)),
        render: (run) => <StateBadge state={toBadge(run)}>{t(`backups.states.${run.state}`)}</StateBadge>,
      },
      toNumber(
        'bytes',
        t('backups.bytes'),
        ({ bytes }) => bytes,
        ({ bytes }) => (bytes === null ? '' : toSize(bytes, format)),
      ),
      toNumber(
        'duration',
        t('backups.duration'),
        ({ startedAt, endedAt }) => endedAt && endedAt - startedAt,
        (run) => toDuration(run, format, t),
      ),
      toText('checked', t('backups.checked'), 190, ({ state, checked }) =>
        state === 'whole' ? t(checked ? 'backups.checkedYes' : 'backups.checkedNo') : '',
      ),
      toText('fault', t('backups.fault'), 340, (run) => toFault(run, t)),
      toText('encrypted', t('backups.encrypted'), 120, ({ encrypted }) =>
        encrypted === null ? '' : t(encrypted ? 'backups.encryptedYes' : 'backups.encryptedNo'),
      ),
      toNumber(
        'rows',
        t('backups.rows'),
        ({ rows }) => rows,
        ({ rows }) => (rows === null ? '' : format.number(rows, 0)),
      ),
      toText('name', t('backups.name'), 250, ({ name }) => name ?? ''),
    ]
  }, [t, format])
}
