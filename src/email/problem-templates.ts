import { note, text, type Block, type EmailParts } from './blocks.ts'
import { button } from './common-blocks.ts'
import type { Wording } from './wording.ts'

/** A problem of the service that its administrators must know about. */
export type Problem =
  | {
      readonly kind: 'disk'
      readonly disk: 'files' | 'database'
      /** Whether uploads are refused already. */
      readonly isFull: boolean
      /** Bytes. */
      readonly free: number
      readonly floor: number
    }
  | { readonly kind: 'emails'; readonly count: number }
  | { readonly kind: 'jobs'; readonly names: readonly string[] }
  | { readonly kind: 'damage'; readonly files: number }

/** Emails to administrators about the service. */
export type ProblemTemplateData =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'updated'; readonly version: string }

export function problemEmail(data: ProblemTemplateData, wording: Wording): EmailParts {
  const { texts, appName, baseUrl } = wording
  const { problems } = texts
  const footer = [texts.footer(appName), problems.why(appName)]
  const open = button(problems.button, `${baseUrl}/admin`, wording)
  if (data.kind === 'updated') {
    const title = problems.updated(appName, data.version)
    return { subject: title, heading: title, blocks: [text(problems.migrated), open], footer }
  }
  const all = data.problems.map((problem) => describe(problem, wording))
  const [first] = all
  if (!first) throw new Error('an email about no problem')
  const isOne = all.length === 1
  const blocks = all.flatMap(({ title, advice }): Block[] =>
    isOne ? [text(advice)] : [text(title), note(advice)],
  )
  return {
    subject: problems.subject(isOne ? first.title : problems.heading(all.length), appName),
    heading: isOne ? first.title : problems.heading(all.length),
    blocks: [...blocks, open],
    footer,
  }
}

function describe(
  problem: Problem,
  { texts, size }: Wording,
): { readonly title: string; readonly advice: string } {
  const { problems, damage } = texts
  switch (problem.kind) {
    case 'disk': {
      const title = problems.disks[`${problem.disk}_${problem.isFull ? 'full' : 'low'}`]
      return { title, advice: problems.space(size(problem.free), size(problem.floor)) }
    }
    case 'emails':
      return { title: problems.emails(problem.count), advice: problems.emailsAdvice }
    case 'jobs':
      return {
        title: problems.jobs(problem.names.length),
        advice: problems.jobsAdvice(problem.names.join(', ')),
      }
    case 'damage':
      return { title: damage.heading(problem.files), advice: problems.damageAdvice }
  }
}
