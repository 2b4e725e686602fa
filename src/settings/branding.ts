import * as v from 'valibot'
import { text } from '../http/schema.ts'
import { groundPicture } from './ground-picture.ts'
import { color, colorOrNone, destination, logo } from './schemas.ts'
import { setting } from './setting.ts'

const homePages = ['signIn', 'welcome', 'redirect'] as const
export type HomePage = (typeof homePages)[number]

/** How round the corners of controls are. */
const cornerRadii = ['sharp', 'soft', 'round'] as const
export type CornerRadius = (typeof cornerRadii)[number]

/** Settings of what the pages show: names, colours, pictures and texts. */
export const branding = {
  appName: setting({
    default: 'Transfer',
    schema: v.pipe(text(1, 60), v.trim(), v.minLength(1, 'must not be empty')),
    doc: 'Name of the service on its pages.',
    isPublic: true,
  }),
  accentColor: setting({
    default: '#1d5fc4',
    schema: color,
    doc: 'Colour of links and buttons.',
    isPublic: true,
  }),
  groundColor: setting({
    default: '',
    schema: colorOrNone,
    doc: 'Colour behind the card of public pages; empty for a tone of `accentColor`.',
    isPublic: true,
  }),
  groundPicture: setting({
    default: '',
    schema: groundPicture,
    doc:
      'Picture behind the card, as a data: URL (JPEG, PNG or WebP in base64, at most 2 MB); ' +
      'afterwards its version.',
    isPublic: true,
  }),
  cornerRadius: setting<CornerRadius>({
    default: 'soft',
    schema: v.picklist(cornerRadii),
    doc: 'Corners of cards, buttons and fields: sharp, soft or round.',
    isPublic: true,
  }),
  logo: setting({
    default: '',
    schema: logo,
    doc: 'Logo as a data: URL (PNG, JPEG, WebP or SVG in base64, at most 300,000 characters).',
    isPublic: true,
  }),
  logoDark: setting({
    default: '',
    schema: logo,
    doc: 'Logo for dark pages, as a data: URL; without it they show `logo`.',
    isPublic: true,
  }),
  welcomeText: setting({
    default: '',
    schema: text(0, 2000),
    doc: 'Text on the sign-in page and on the page for sending.',
    isPublic: true,
  }),
  homePage: setting<HomePage>({
    default: 'signIn',
    schema: v.picklist(homePages),
    doc:
      'What people see at / who are not signed in: signIn, welcome (with homeText) or redirect ' +
      '(to homeRedirect). /login always shows the sign-in form.',
    isGuarded: true,
  }),
  homeText: setting({
    default: '',
    schema: text(0, 2000),
    doc: 'Text of the welcome page.',
  }),
  homeRedirect: setting({
    default: '',
    schema: destination,
    doc: 'Address that / redirects to, http or https; empty for the sign-in form.',
    isGuarded: true,
  }),
}
