import { cancelTransfer, downloadFailed } from '@isotherm/contract/endpoints/devices/transfer'
import type { Transfer } from '@isotherm/contract/transfer'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CauseList } from './cause-list.tsx'
import { CompanySelect } from './company-select.tsx'
import styles from './transfer.module.css'
import { isRunning, transferQuery } from './transfer-queries.ts'
import { useFile } from './use-file.ts'

const verdicts = ['added', 'changed', 'unchanged', 'failed'] as const

/** What starts a check or an import. */
export interface RunInput {
  readonly transferId: number
  readonly version: number
  readonly dryRun: boolean
  readonly companyId?: number
}

interface TransferViewProps {
  readonly transfer: Transfer
  readonly run: (input: RunInput) => Promise<Transfer>
  /** Called after every step that changed the import. */
  readonly onChanged: () => void
  readonly onAgain: () => void
}

/** An import: check and import with progress, the rows by verdict, and the failed rows by cause and as a file. */
export function TransferView({ transfer, run, onChanged, onAgain }: TransferViewProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const client = useQueryClient()
  const [companyId, setCompanyId] = useState(transfer.companyId)
  const { id: transferId, version, state, done, total, abilities } = transfer
  const update = (next: Transfer) => {
    client.setQueryData(transferQuery(transferId).queryKey, next)
    onChanged()
  }
  const running = useMutation({
    mutationFn: (dryRun: boolean) =>
      run({ transferId, version, dryRun, ...(companyId !== undefined && { companyId }) }),
    onSuccess: update,
  })
  const cancelling = useMutation({
    mutationFn: () => call(cancelTransfer, { transferId, version }),
    onSuccess: update,
  })
  const failed = useFile(downloadFailed)
  const asksCompany = running.error instanceof ApiError && running.error.code === 'transfer.which-company'
  const isBusy = isRunning(transfer)
  const valid = transfer.added + transfer.changed
  const isReadings = transfer.kind === 'readings'
  return (
    <div className={styles.view} data-testid="transfer" data-state={state}>
      <p>
        <strong>{transfer.fileName}</strong> · {t(`transfer.state.${state}`)}
      </p>
      {isBusy && (
        <>
          <Progress percent={total === 0 ? 0 : Math.floor((done / total) * 100)} status="active" />
          <p role="status">
            {t('transfer.progress', { done: format.number(done, 0), total: format.number(total, 0) })}
          </p>
        </>
      )}
      {transfer.fault !== undefined && <Alert type="error" showIcon title={transfer.fault} />}
      {(state === 'checked' || state === 'done' || state === 'importing') && (
        <ul className={styles.verdicts} data-testid="transfer-verdicts">
          {verdicts
            .filter((verdict) => !isReadings || verdict !== 'changed')
            .map((verdict) => (
              <li key={verdict} data-verdict={verdict}>
                <span>{t(`transfer.verdict.${verdict}`)}</span>
                <strong>{format.number(transfer[verdict], 0)}</strong>
              </li>
            ))}
        </ul>
      )}
      {isReadings && state !== 'uploaded' && <p>{t('readings.counts')}</p>}
      {!isBusy && transfer.failed > 0 && (
        <>
          <CauseList transfer={transfer} />
          <Button
            loading={failed.isPending}
            data-testid="transfer-failed"
            onClick={() => failed.mutate({ transferId })}
          >
            {t('transfer.failedFile')}
          </Button>
        </>
      )}
      {asksCompany && <CompanySelect value={companyId} onValue={setCompanyId} />}
      {running.error && !asksCompany && <Alert type="error" showIcon title={toFailureText(running.error)} />}
      {cancelling.error && <Alert type="error" showIcon title={toFailureText(cancelling.error)} />}
      <div className={styles.line}>
        {abilities.includes('check') && (isReadings || state !== 'checked') && (
          <Button
            type={state === 'checked' ? 'default' : 'primary'}
            loading={running.isPending}
            disabled={asksCompany && companyId === undefined}
            data-testid="transfer-check"
            onClick={() => running.mutate(true)}
          >
            {t('transfer.check')}
          </Button>
        )}
        {state === 'checked' && (
          <Button
            type="primary"
            loading={running.isPending}
            disabled={valid === 0}
            data-testid="transfer-import"
            onClick={() => running.mutate(false)}
          >
            {t(isReadings ? 'readings.import' : 'transfer.import', { rows: format.number(valid, 0) })}
          </Button>
        )}
        {abilities.includes('cancel') && (
          <Button loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
            {t('transfer.cancel')}
          </Button>
        )}
        {!isBusy && <Button onClick={onAgain}>{t('transfer.another')}</Button>}
      </div>
    </div>
  )
}
