import type { RuleDraft, RuleField } from './rule-draft.ts'

/** What fields of a rule are given. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft
  readonly onDraft: (draft: RuleDraft) => void
}

/** A group of fields, told what is wrong with each. */
export interface PartProps extends RuleFieldsProps {
  readonly faultOf: (field: RuleField) => string | undefined
}
