import type { Command } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { toChangeText } from '../../shared/format/target-text.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { CommandBadge } from '../../shared/ui/command-badge.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import styles from './dashboard.module.css'
import { recentCommandsQuery } from './queries.ts'

/** The newest commands of the selection with their states. */
export function RecentCommands({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const recent = useQuery(recentCommandsQuery(nodes))
  return (
    <Answer query={recent}>
      {({ datalist }) =>
        datalist.length === 0 ? <EmptyState title={t('noCommands')} /> : <CommandList commands={datalist} />
      }
    </Answer>
  )
}

function CommandList({ commands }: { readonly commands: readonly Command[] }) {
  const format = useFormat()
  return (
    <ul className={styles.commands}>
      {commands.map((command) => (
        <li key={command.id}>
          <time
            dateTime={new Date(command.createdAt).toISOString()}
            title={format.instant(command.createdAt)}
          >
            {format.time(command.createdAt)}
          </time>
          <span className={styles.place} title={toWholeAddress(command.nestaddr)}>
            {toCompactAddress(command.nestaddr)}
          </span>
          <span>{toChangeText(format, command)}</span>
          <span className={styles.hint}>{command.actor}</span>
          <CommandBadge {...command} />
        </li>
      ))}
    </ul>
  )
}
