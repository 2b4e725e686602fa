import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('fr', count, ['{n} fichier', '{n} fichiers'])
const quoted = (name: string) => `« ${name} »`
const named = (name: string) => name && ` ${quoted(name)}`
const fromAddress = (ip: string) => ip && `, depuis l’adresse IP ${ip}`
const aboutFiles = 'Si vous ne connaissez pas l’expéditeur, n’ouvrez pas le lien.'
const linkOf = (isRequest: boolean) => (isRequest ? 'votre demande de fichiers' : 'votre partage')
const others = (count: number) => (count === 1 ? '1 autre' : `${numberIn('fr', count)} autres`)

export const emails: EmailTexts = {
  files,
  more: (count) => countIn('fr', count, ['+{n} autre', '+{n} autres']),
  expires: (moment) => `expire le ${moment}`,
  needsPassword: 'avec mot de passe',
  peopleMax: (count) =>
    countIn('fr', count, ['pour {n} personne', 'pour {n} personnes au maximum']),
  upTo: (size) => `jusqu’à ${size}`,
  askForPassword: (who) => `Le lien demande un mot de passe. Demandez-le à ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Le message et les fichiers s’affichent après la saisie du mot de passe.'
      : 'Les fichiers s’affichent après la saisie du mot de passe.',
  orLink: 'Ou ouvrez ce lien :',
  guest: 'Un invité',
  footer: (appName) => `Envoyé par ${appName}.`,
  footerFor: (appName, who) => `Envoyé avec ${appName} pour ${who}.`,

  share: {
    subject: (who, name, count) => `${who} vous envoie ${name ? quoted(name) : files(count)}`,
    lead: (who) => `${who} vous envoie des fichiers.`,
    button: 'Ouvrir les fichiers',
    why: (who) => `Vous recevez cet e-mail car ${who} a saisi votre adresse. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} a ajouté ${files(count)}${name && ` à ${quoted(name)}`}`,
    lead: (who, name, count) =>
      `${who} a ajouté ${files(count)} à ${name ? quoted(name) : 'un partage précédent'}.`,
    button: 'Ouvrir les fichiers',
    why: (who) =>
      `Vous recevez cet e-mail car ${who} a déjà partagé des fichiers avec vous. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} vous demande des fichiers${name && ` : ${quoted(name)}`}`,
    lead: (who) => `${who} vous demande d’envoyer des fichiers.`,
    noAccount: 'Aucun compte n’est nécessaire. Choisissez vos fichiers sur la page du lien.',
    button: 'Envoyer des fichiers',
    why: (who) => `Vous recevez cet e-mail car ${who} a saisi votre adresse. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name
        ? `${who} a envoyé ${files(count)} pour ${quoted(name)}`
        : `${who} vous a envoyé ${files(count)}`,
    lead: (who, name) =>
      name
        ? `${who} a envoyé des fichiers pour ${quoted(name)}.`
        : `${who} vous a envoyé des fichiers.`,
    button: 'Ouvrir les fichiers',
    why: 'Vous recevez cet e-mail car votre demande de fichiers vous avertit de leur arrivée.',
  },
  deliveries: {
    subject: (name, count) =>
      countIn('fr', count, ['{n} autre dépôt', '{n} autres dépôts']) +
      (name && ` pour ${quoted(name)}`),
    heading: (count) => countIn('fr', count, ['{n} autre dépôt', '{n} autres dépôts']),
    lead: (name, count, size) =>
      `Des invités ont envoyé ${files(count)} (${size})${name && ` pour ${quoted(name)}`} :`,
  },
  damage: {
    subject: (file, more) =>
      more === 0
        ? `Un fichier est endommagé : ${quoted(file)}`
        : `${files(more + 1)} sont endommagés : ${quoted(file)} et ${others(more)}`,
    heading: (count) =>
      count === 1 ? 'Un fichier est endommagé' : `${files(count)} sont endommagés`,
    what: (file, more, name, isDelivery) => {
      const of = name && ` pour ${quoted(name)}`
      const where = isDelivery ? `, que vous avez reçu${of},` : ` de votre partage${named(name)}`
      if (more === 0) {
        return `Le fichier ${quoted(file)}${where} est endommagé sur le disque du service.`
      }
      const all = isDelivery ? `, que vous avez reçus${of},` : ` de votre partage${named(name)}`
      const rest = countIn('fr', more, ['{n} autre fichier', '{n} autres fichiers'])
      return `${quoted(file)} et ${rest}${all} sont endommagés sur le disque du service.`
    },
    advice: (count, isDelivery) => {
      const [they, again] =
        count === 1
          ? ['Il ne peut', isDelivery ? 'Redemandez-le' : 'Renvoyez-le']
          : ['Ils ne peuvent', isDelivery ? 'Redemandez-les' : 'Renvoyez-les']
      return (
        `${they} plus être ${count === 1 ? 'téléchargé' : 'téléchargés'}. ${again} et prévenez ` +
        'votre administrateur : un disque est peut-être défaillant.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Voir la demande de fichiers' : 'Voir le partage'),
    why: 'Vous recevez cet e-mail car ces fichiers sont les vôtres.',
  },
  downloads: {
    subject: (name) => `Vos fichiers ont été téléchargés${name && ` : ${quoted(name)}`}`,
    heading: 'Vos fichiers ont été téléchargés',
    what: (name, people) => {
      const who = countIn('fr', people, ['{n} personne a', '{n} personnes ont'])
      return `${who} téléchargé ${name ? quoted(name) : 'vos fichiers'}.`
    },
    latest: (moment) => `dernier téléchargement : ${moment}`,
    button: 'Voir le partage',
    why:
      'Vous recevez cet e-mail car vous avez activé les notifications de téléchargement de ce ' +
      'partage.',
  },
  invitation: {
    subject: (appName) => `Votre compte ${appName}`,
    heading: (appName) => `Bienvenue sur ${appName}`,
    what: (appName) => `Un compte a été créé pour vous sur ${appName}.`,
    button: 'Choisir votre mot de passe',
    note: (days) => {
      const time = countIn('fr', days, ['{n} jour', '{n} jours'])
      return `Le lien fonctionne une fois et expire dans ${time}.`
    },
    why: 'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
  },
  linkCode: {
    subject: (code, appName) => `${code} est votre code pour ${appName}`,
    heading: 'Votre code',
    what: 'Saisissez ce code pour ouvrir les fichiers qui vous ont été envoyés :',
    note: (minutes) => `Il fonctionne une fois, pendant ${minutes} minutes. Ne le transmettez pas.`,
    why: 'Si vous n’avez pas demandé ce code, ignorez cet e-mail.',
  },
  reset: {
    subject: (appName) => `Définissez un nouveau mot de passe pour ${appName}`,
    heading: 'Définissez un nouveau mot de passe',
    what: (appName) => `Un nouveau mot de passe a été demandé pour votre compte sur ${appName}.`,
    button: 'Définir un nouveau mot de passe',
    note: (minutes) => {
      const time = countIn('fr', minutes, ['{n} minute', '{n} minutes'])
      return `Le lien fonctionne une fois et expire dans ${time}.`
    },
    why:
      'Si vous n’avez pas fait cette demande, ignorez cet e-mail : votre mot de passe reste ' +
      'inchangé.',
  },
  signUp: {
    confirm: (appName) => `Confirmez votre adresse e-mail pour ${appName}`,
    confirmWhat: (appName) =>
      `Un compte sur ${appName} a été demandé avec cette adresse. Choisissez un nom et un ` +
      'mot de passe pour le créer.',
    confirmButton: 'Créer le compte',
    confirmNote: (hours) => `Le lien fonctionne une fois et expire dans ${hours} heures.`,
    known: (appName) => `Vous avez déjà un compte sur ${appName}`,
    knownWhat:
      'La création d’un compte a été demandée avec cette adresse. Connectez-vous ou ' +
      'définissez un nouveau mot de passe.',
    why: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.',
    approved: (appName) => `Votre compte sur ${appName} est approuvé`,
    approvedWhat: 'Vous pouvez maintenant vous connecter.',
    approvedButton: 'Se connecter',
    declined: (appName) => `Votre demande de compte sur ${appName}`,
    declinedWhat: (appName) =>
      `Un administrateur de ${appName} n’a pas approuvé votre compte. Il a été supprimé.`,
    waiting: (count, appName) =>
      `${appName} : ` +
      countIn('fr', count, [
        '{n} personne attend l’approbation',
        '{n} personnes attendent l’approbation',
      ]),
    waitingWhat:
      'Leur adresse e-mail est confirmée. Approuvez ou refusez leur compte sous « Comptes ».',
    waitingButton: 'Ouvrir les comptes',
  },
  notice: {
    subject: (event, appName) => `${appName} : ${event}`,
    events: {
      account_deleted: 'Votre compte a été supprimé',
      api_token_created: 'Un jeton d’API a été créé pour votre compte',
      email_changed: 'L’adresse e-mail de votre compte a été modifiée',
      identity_linked: 'Une connexion par fournisseur a été associée à votre compte',
      identity_unlinked: 'Une connexion par fournisseur a été dissociée de votre compte',
      new_device: 'Un nouvel appareil s’est connecté à votre compte',
      passkey_added: 'Une clé d’accès a été ajoutée à votre compte',
      passkey_refused:
        'Une clé d’accès de votre compte a été refusée, car elle a peut-être été copiée',
      passkey_removed: 'Une clé d’accès a été retirée de votre compte',
      password_changed: 'Votre mot de passe a été changé',
      recovery_codes_renewed: 'Les codes de récupération de votre compte ont été remplacés',
      second_factor_enabled: 'La validation en deux étapes de votre compte a été activée',
      second_factor_disabled: 'La validation en deux étapes de votre compte a été désactivée',
      sessions_ended: 'Toutes les autres sessions de votre compte ont été fermées',
      sign_ins_reset:
        'Votre mot de passe a été modifié et tous les autres moyens de connexion ont été supprimés',
      second_factor_reset:
        'Un administrateur a réinitialisé la validation en deux étapes de votre compte',
    },
    what: (moment, ip) =>
      `Cela s’est produit le ${moment}` +
      `${ip === null ? ', sur le serveur lui-même' : fromAddress(ip)}.`,
    nothingToDo: 'Si c’était vous, il n’y a rien à faire.',
    changePassword:
      'Sinon, changez votre mot de passe maintenant et prévenez votre administrateur.',
    tellAdministrator: 'Sinon, prévenez immédiatement votre administrateur.',
    button: 'Ouvrir votre compte',
    why: (appName) => `Vous recevez cet e-mail car il concerne votre compte sur ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `La dernière tentative date du ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Échecs de connexion à votre compte sur ${appName}`,
      heading: 'Échecs de connexion à votre compte',
      what: (appName) =>
        `Plusieurs connexions à votre compte sur ${appName} ont échoué à cause d’un mot de passe ` +
        'incorrect.',
      advice:
        'Votre compte n’est pas bloqué. Si votre mot de passe est court ou utilisé ailleurs, ' +
        'changez-le et activez la validation en deux étapes.',
    },
    code: {
      subject: (appName) => `Codes incorrects pour votre compte sur ${appName}`,
      heading: 'Codes incorrects pour votre compte',
      what: (appName) =>
        `Des codes incorrects ont été saisis pour votre compte sur ${appName} après le bon mot ` +
        'de passe.',
      advice:
        'Si ce n’était pas vous, une autre personne connaît votre mot de passe. Changez-le ' +
        'maintenant et prévenez votre administrateur.',
    },
    link: {
      subject: (isRequest, name) =>
        `Mots de passe incorrects pour ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Mots de passe incorrects pour ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `De nombreux mots de passe incorrects ont été saisis pour ${linkOf(isRequest)}` +
        `${named(name)} sur ${appName}.`,
      advice:
        'Le lien fonctionne toujours avec le bon mot de passe. S’il est court, choisissez-en un ' +
        'plus long et envoyez-le à vos destinataires.',
      button: (isRequest) =>
        isRequest ? 'Ouvrir vos demandes de fichiers' : 'Ouvrir vos partages',
    },
  },
  problems: {
    subject: (title, appName) => `${appName} : ${title}`,
    heading: (count) => countIn('fr', count, ['{n} problème', '{n} problèmes']),
    disks: {
      files_full: 'Le disque de stockage est plein',
      files_low: 'Le disque de stockage est presque plein',
      database_full: 'Le disque de la base de données est plein',
      database_low: 'Le disque de la base de données est presque plein',
    },
    space: (free, floor) =>
      `Espace libre : ${free}. Les téléversements s’arrêtent en dessous de ${floor}.`,
    emails: (count) =>
      countIn('fr', count, [
        '{n} e-mail n’a pas pu être remis',
        '{n} e-mails n’ont pas pu être remis',
      ]),
    emailsAdvice:
      'Lisez la réponse du serveur de messagerie dans la vue d’ensemble, puis réessayez.',
    jobs: (count) =>
      countIn('fr', count, [
        '{n} tâche de fond échoue sans cesse',
        '{n} tâches de fond échouent sans cesse',
      ]),
    jobsAdvice: (names) =>
      `En échec depuis plus d’une heure : ${names}. Le journal du service en donne la raison.`,
    damageAdvice:
      'La commande « transfer verify » liste les fichiers endommagés. Restaurez-les depuis ' +
      'une sauvegarde.',
    updated: (appName, version) => `${appName} a été mis à jour vers la version ${version}`,
    migrated: 'La base de données a été migrée et le service fonctionne.',
    button: 'Ouvrir la vue d’ensemble',
    why: (appName) =>
      `Vous recevez cet e-mail car vous administrez ${appName}. Vous pouvez le désactiver ` +
      'dans les paramètres d’e-mail.',
  },
  test: {
    subject: (appName) => `E-mail de test envoyé par ${appName}`,
    heading: 'L’envoi d’e-mails fonctionne',
    what: (appName) => `${appName} peut envoyer des e-mails. Un administrateur a demandé ce test.`,
    button: (appName) => `Ouvrir ${appName}`,
  },
}
