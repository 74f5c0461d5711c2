import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toChangeText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import text from '../lists/text.module.css'
import styles from './valve.module.css'
import { valveCommandsQuery } from './valve-queries.ts'

/** The last commands to a valve: time, change, state, user and reason. */
export function ValveCommands({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const commands = useQuery(valveCommandsQuery(deviceId))
  return (
    <section aria-label={t('valve.commands')}>
      <h3>{t('valve.commands')}</h3>
      {commands.isPending ? (
        <LoadingState />
      ) : commands.isError ? (
        <ErrorState error={commands.error} onRetry={() => commands.refetch()} />
      ) : commands.data.total === 0 ? (
        <p className={text.hint}>{t('log.empty')}</p>
      ) : (
        <ul className={styles.list}>
          {commands.data.datalist.map((command) => (
            <li key={command.id}>
              <span className={text.hint}>{format.instant(command.createdAt)}</span>
              <span className="num">{toChangeText(format, command)}</span>
              <CommandBadge {...command} />
              <span className={text.hint}>
                {[command.actor, format.reason(command.reason)].filter((text) => text !== '').join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
