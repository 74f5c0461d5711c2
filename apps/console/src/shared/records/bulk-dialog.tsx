import { Alert, Button, Modal, Progress } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import type { EachAction } from './bulk-action.ts'
import styles from './records.module.css'
import { type BulkRun, runBulk } from './run-bulk.ts'

/** A chosen action with the selected records. */
export interface ChosenBulk<Row> {
  readonly action: EachAction<Row>
  readonly rows: readonly Row[]
}

interface BulkDialogProps<Row> {
  /** Absent while the dialog is closed. */
  readonly chosen: ChosenBulk<Row> | undefined
  readonly toName: (row: Row) => string
  /** Called when the dialog closes; `isChanged` if any record may have changed. */
  readonly onClose: (isChanged: boolean) => void
}

/** Asks before an action on many records, shows its progress, and lists the failures with their reasons. */
export function BulkDialog<Row>({ chosen, ...rest }: BulkDialogProps<Row>): ReactNode {
  return chosen && <OpenDialog key={chosen.action.key} chosen={chosen} {...rest} />
}

type State<Row> = { readonly phase: 'asking' | 'running' | 'done'; readonly run: BulkRun<Row> }

function OpenDialog<Row>({
  chosen: { action, rows },
  toName,
  onClose,
}: BulkDialogProps<Row> & { readonly chosen: ChosenBulk<Row> }) {
  const { t } = useTranslation('common')
  const offered = rows.filter(action.isOffered)
  const [todo, setTodo] = useState<readonly Row[]>(offered)
  const [{ phase, run }, setState] = useState<State<Row>>({ phase: 'asking', run: { done: 0, failed: [] } })
  const [isChanged, setChanged] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (started: readonly Row[]) => {
    const controller = new AbortController()
    stop.current = controller
    setTodo(started)
    setChanged(true)
    setState({ phase: 'running', run: { done: 0, failed: [] } })
    const end = await runBulk(
      started,
      action.act,
      (next) => setState({ phase: 'running', run: next }),
      controller.signal,
    )
    if (stop.current === controller) setState({ phase: 'done', run: end })
  }
  const close = () => onClose(isChanged)
  const excluded = rows.length - offered.length
  return (
    <Modal
      open
      title={action.label}
      onCancel={phase === 'running' ? () => stop.current?.abort() : close}
      footer={
        <div className={styles.dialogEnd}>
          {phase === 'asking' && <Button onClick={close}>{t('form.cancel')}</Button>}
          {phase === 'asking' && (
            <Button
              type="primary"
              danger={action.danger === true}
              disabled={offered.length === 0}
              data-testid="bulk-start"
              onClick={() => void start(offered)}
            >
              {t('bulk.start', { count: offered.length })}
            </Button>
          )}
          {phase === 'running' && <Button onClick={() => stop.current?.abort()}>{t('bulk.stop')}</Button>}
          {phase === 'done' && run.failed.length > 0 && (
            <Button onClick={() => void start(run.failed.map(({ row }) => row))}>{t('bulk.retry')}</Button>
          )}
          {phase === 'done' && (
            <Button type="primary" data-testid="bulk-close" onClick={close}>
              {t('bulk.close')}
            </Button>
          )}
        </div>
      }
    >
      {phase === 'asking' && action.question(offered)}
      {phase === 'asking' && excluded > 0 && (
        <Alert type="warning" showIcon title={t('bulk.excluded', { count: excluded })} />
      )}
      {phase !== 'asking' && (
        <>
          <Progress
            percent={Math.round((run.done / Math.max(1, todo.length)) * 100)}
            status={run.failed.length > 0 ? 'exception' : phase === 'done' ? 'success' : 'active'}
          />
          <p role="status" data-testid="bulk-result">
            {t('bulk.result', { done: run.done - run.failed.length, total: todo.length })}
            {run.failed.length > 0 && ` · ${t('bulk.failed', { count: run.failed.length })}`}
          </p>
          <ul className={styles.failures}>
            {run.failed.map(({ row, error }) => (
              <li key={toName(row)}>
                <strong>{toName(row)}</strong> {toFailureText(error)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Modal>
  )
}
