import { PrinterOutlined } from '@ant-design/icons'
import { closeRoomVisit } from '@isotherm/contract/endpoints/monitoring/rooms'
import { type RoomVisit, type VisitCondition, visitCondition } from '@isotherm/contract/rooms/room-visit'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { NumberField } from '../../../shared/form/number-field.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { toLocalInput } from '../../../shared/format/local-input.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { InstantInput } from '../../../shared/inputs/instant-input.tsx'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { Printed } from '../../../shared/print/printed.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import styles from '../rooms.module.css'
import { VisitClock } from './visit-columns.tsx'
import { VisitSheet } from './visit-sheet.tsx'

interface VisitDrawerProps {
  readonly visit: RoomVisit | undefined
  readonly onClose: () => void
}

/** A complaint with its clock: sheet to print, result to record, or the recorded result. */
export function VisitDrawer({ visit, onClose }: VisitDrawerProps) {
  return (
    <FormDrawer
      isOpen={visit !== undefined}
      title={visit && toWholeAddress(visit.nestaddr)}
      onClose={onClose}
    >
      {(guard) => visit && <VisitDetail key={visit.visit} visit={visit} onDone={onClose} {...guard} />}
    </FormDrawer>
  )
}

interface VisitDetailProps extends FormGuard {
  readonly visit: RoomVisit
  readonly onDone: () => void
}

function VisitDetail({ visit, onDone, ...guard }: VisitDetailProps) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const { result } = visit
  return (
    <div className={styles.drawer} data-testid="visit-drawer">
      <FactList
        className={styles.facts}
        facts={[
          [t('visit.requestedAt'), format.instant(visit.requestedAt)],
          [t('visit.clock'), <VisitClock key="clock" visit={visit} />],
          [t('visit.resident'), `${visit.resident} ${visit.phone}`],
          [t('visit.complaint'), visit.complaint],
          [t('visit.sensorC'), format.metric('temp.room', visit.sensorC)],
          ...(result
            ? ([
                [t('visit.measuredC'), format.metric('temp.room', result.measuredC)],
                [t('visit.measuredAt'), format.instant(result.measuredAt)],
                [t('visit.inspector'), result.inspector],
                [
                  t('visit.conditions'),
                  result.conditions
                    .map((condition) => t(`visit.condition.${condition}`))
                    .join(t('semicolon')),
                ],
                [t('visit.signed'), t(result.isSigned ? 'visit.yes' : 'visit.no')],
                [t('visit.remark'), result.remark],
              ] as const)
            : []),
        ]}
      />
      <Button icon={<PrinterOutlined />} data-testid="visit-print" onClick={() => window.print()}>
        {t('visit.print')}
      </Button>
      {!result && <ResultForm visit={visit} onDone={onDone} {...guard} />}
      <Printed>
        <VisitSheet visit={visit} />
      </Printed>
    </div>
  )
}

function ResultForm({ visit, onDone, onDirty, onCancel }: VisitDetailProps) {
  const { t } = useTranslation('rooms')
  const client = useQueryClient()
  const id = useId()
  const [measuredC, setMeasured] = useState<number | null>(null)
  const [at, setAt] = useState(() => toLocalInput(readServerNow()))
  const [conditions, setConditions] = useState<readonly VisitCondition[]>([])
  const [texts, setTexts] = useState({ inspector: '', remark: '' })
  const [isSigned, setSigned] = useState(false)
  const measuredAt = Date.parse(at)
  // The field has whole seconds: a measurement in the second of the complaint is not before it.
  const isAfter = measuredAt >= Math.floor(visit.requestedAt / SECOND_MS) * SECOND_MS
  const isReady = measuredC !== null && texts.inspector.trim() !== '' && isAfter
  const saving = useMutation({
    mutationFn: () =>
      call(closeRoomVisit, {
        deviceId: visit.deviceId,
        visit: visit.visit,
        version: visit.version,
        result: { measuredAt, measuredC: measuredC ?? 0, conditions: [...conditions], isSigned, ...texts },
      }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['rooms', 'visits'] })
      onDone()
    },
  })
  /** A change that would be lost if the drawer closed. */
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      onDirty(true)
      set(value)
    }
  const isAll = conditions.length === visitCondition.options.length
  return (
    <ActionForm
      submit={t('visit.save')}
      isReady={isReady}
      busy={saving.isPending}
      error={saving.error}
      testId="save-visit"
      onSubmit={() => saving.mutate()}
      onCancel={onCancel}
    >
      <NumberField
        label={t('visit.measuredC')}
        unit="°C"
        min={-20}
        max={50}
        value={measuredC}
        testId="visit-measured"
        onValue={changed(setMeasured)}
      />
      <Field label={t('visit.measuredAt')} htmlFor={`${id}-at`}>
        <InstantInput id={`${id}-at`} value={at} onValue={changed(setAt)} />
      </Field>
      <Field label={t('visit.conditions')} {...(isAll ? {} : { hint: t('visit.incomplete') })}>
        <Checkbox.Group<VisitCondition>
          className={styles.conditions ?? ''}
          value={[...conditions]}
          options={visitCondition.options.map((value) => ({ value, label: t(`visit.condition.${value}`) }))}
          onChange={changed<readonly VisitCondition[]>(setConditions)}
        />
      </Field>
      <Field label={t('visit.inspector')} htmlFor={`${id}-inspector`}>
        <Input
          id={`${id}-inspector`}
          maxLength={60}
          value={texts.inspector}
          data-testid="visit-inspector"
          onChange={(event) => changed(setTexts)({ ...texts, inspector: event.target.value })}
        />
      </Field>
      <Checkbox checked={isSigned} onChange={(event) => changed(setSigned)(event.target.checked)}>
        {t('visit.signed')}
      </Checkbox>
      <Field label={t('visit.remark')} htmlFor={`${id}-remark`}>
        <Input.TextArea
          id={`${id}-remark`}
          maxLength={500}
          rows={2}
          value={texts.remark}
          onChange={(event) => changed(setTexts)({ ...texts, remark: event.target.value })}
        />
      </Field>
    </ActionForm>
  )
}
