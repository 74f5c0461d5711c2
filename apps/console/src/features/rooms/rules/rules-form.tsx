import type { OutputOf } from '@isotherm/contract/endpoint'
import { type getRoomRules, setRoomRules } from '@isotherm/contract/endpoints/monitoring/rooms'
import { type RoomRules, roomRules } from '@isotherm/contract/rooms/room-bands'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { NumberField } from '../../../shared/form/number-field.tsx'
import { refundExamples } from './refund-examples.ts'

interface RulesFormProps extends FormGuard {
  readonly node: NodeKey
  readonly placed: OutputOf<typeof getRoomRules>
  readonly onDone: () => void
}

type NumberRule = 'coldC' | 'hotC' | 'fromHour' | 'toHour' | 'yuanPerM2'

/** Numbers of a text such as `14, 16, 18`. */
const toNumbers = (text: string): number[] =>
  text
    .split(/[\s,，、;；]+/)
    .filter((word) => word !== '')
    .map(Number)

/** Steps of a text such as `18: 20, 16: 50`. */
export const toSteps = (text: string): RoomRules['refunds'] =>
  text
    .split(/[\n,，;；]+/)
    .filter((word) => word.trim() !== '')
    .map((word) => {
      const [belowC = Number.NaN, percent = Number.NaN] = word.split(/[:：]/).map(Number)
      return { belowC, percent }
    })

const toStepsText = (refunds: RoomRules['refunds']): string =>
  refunds.map(({ belowC, percent }) => `${belowC}: ${percent}`).join(', ')

/** Limits, bands, hours and refund steps of a place. */
export function RulesForm({ node, placed, onDone, onDirty, onCancel }: RulesFormProps) {
  const { t } = useTranslation('rooms')
  const client = useQueryClient()
  const [numbers, setNumbers] = useState<Readonly<Record<NumberRule, number | null>>>(placed.rules)
  const [edges, setEdges] = useState(placed.rules.edgesC.join(', '))
  const [steps, setSteps] = useState(toStepsText(placed.rules.refunds))
  const parsed = roomRules.safeParse({ ...numbers, edgesC: toNumbers(edges), refunds: toSteps(steps) })
  const rules =
    parsed.success && parsed.data.hotC > parsed.data.coldC && parsed.data.toHour > parsed.data.fromHour
      ? parsed.data
      : undefined
  const saving = useMutation({
    mutationFn: (stated: RoomRules) => call(setRoomRules, { node, rules: stated, version: placed.version }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['rooms'] })
      onDone()
    },
  })
  const field = (name: NumberRule, unit: string, whole = false) => (
    <NumberField
      label={t(`rules.${name}`)}
      unit={unit}
      whole={whole}
      value={numbers[name]}
      testId={`rule-${name}`}
      onValue={(value) => {
        onDirty(true)
        setNumbers({ ...numbers, [name]: value })
      }}
    />
  )
  return (
    <ActionForm
      submit={t('rules.save')}
      isReady={rules !== undefined}
      busy={saving.isPending}
      error={saving.error}
      testId="save-room-rules"
      onSubmit={() => rules && saving.mutate(rules)}
      onCancel={onCancel}
    >
      <p>
        {placed.version === 0
          ? t('rules.inherited', { name: placed.nodeName ?? t('rules.defaults') })
          : t('rules.own')}
      </p>
      <div className={form.pair}>
        {field('coldC', '°C')}
        {field('hotC', '°C')}
        {field('fromHour', 'h', true)}
        {field('toHour', 'h', true)}
      </div>
      <Field label={t('rules.edges')} hint={t('rules.edgesHint')}>
        <Input
          aria-label={t('rules.edges')}
          value={edges}
          onChange={(event) => {
            onDirty(true)
            setEdges(event.target.value)
          }}
        />
      </Field>
      <Field
        label={t('rules.refunds')}
        hint={t('rules.refundsHint')}
        fault={parsed.success ? undefined : t('rules.fault')}
      >
        <Input.TextArea
          aria-label={t('rules.refunds')}
          data-testid="rule-refunds"
          rows={2}
          value={steps}
          onChange={(event) => {
            onDirty(true)
            setSteps(event.target.value)
          }}
        />
        <span>
          {(['heilongjiang', 'xian'] as const).map((example) => (
            <Button
              key={example}
              type="link"
              size="small"
              onClick={() => {
                onDirty(true)
                setNumbers({ ...numbers, coldC: refundExamples[example].coldC })
                setSteps(toStepsText(refundExamples[example].refunds))
              }}
            >
              {t(`rules.example.${example}`)}
            </Button>
          ))}
        </span>
      </Field>
      {field('yuanPerM2', t('rules.perSeason'))}
    </ActionForm>
  )
}
