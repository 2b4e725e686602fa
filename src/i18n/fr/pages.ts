import { countIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'la personne qui vous a envoyé le lien'
const ask = (owner: string) => `Demandez-en une nouvelle à ${owner || sender}.`

export const pages: PageTexts = {
  share: {
    untitled: 'Des fichiers pour vous',
    sent: (owner) => `${owner} vous a envoyé`,
    sending: (owner) => `${owner} est en train de vous envoyer`,
    files: (count) => countIn('fr', count, ['{n} fichier', '{n} fichiers']),
    from: (owner) => `par ${owner}`,
    until: 'Disponible jusqu’au',
    endedOn: 'Terminé le',
    left: (count) => {
      if (count === 0) return 'limite de téléchargements atteinte pour les autres'
      return countIn('fr', count, [
        'encore {n} personne peut télécharger',
        'encore {n} personnes peuvent télécharger',
      ])
    },
    leftHint:
      'Dès que vous ouvrez ou téléchargez un fichier, vous pouvez tout télécharger pendant ' +
      '24 heures.',
    all: (size) => `Tout télécharger · ${size}`,
    one: (size) => `Télécharger · ${size}`,
    more: (count) =>
      countIn('fr', count, [
        'et {n} autre fichier, dans le ZIP',
        'et {n} autres fichiers, dans le ZIP',
      ]),
    empty: 'Ce partage ne contient aucun fichier.',
    damaged: 'Endommagé',
    damagedFiles: (count) =>
      countIn('fr', count, [
        '{n} fichier est endommagé sur le serveur et ne peut pas être téléchargé. ' +
          'Demandez qu’il vous soit renvoyé.',
        '{n} fichiers sont endommagés sur le serveur et ne peuvent pas être téléchargés. ' +
          'Demandez qu’ils vous soient renvoyés.',
      ]),
    locked: 'Ces fichiers sont protégés par un mot de passe.',
    lockedBy: (owner) => `${owner} a protégé ces fichiers par un mot de passe.`,
    qrCode: 'Ouvrir sur un téléphone',
    qrCodeImage: 'Code QR du lien de cette page',
    report: 'Signaler ce partage',
    password: 'Mot de passe',
    passwordWrong: 'Mot de passe incorrect. Vérifiez les majuscules et les espaces.',
    passwordWait: 'Trop de tentatives. Réessayez dans quelques minutes.',
    proofCode: (address) =>
      `Ce lien est personnel. Pour l’ouvrir, saisissez le code que nous enverrons à ${address}.`,
    proofAccount: (address) =>
      `Ce lien est personnel. Pour l’ouvrir, connectez-vous au compte de ${address}.`,
    codeSend: 'Recevoir un code par e-mail',
    codeSent: (address) => `Nous avons envoyé un code à ${address}. Il est valable dix minutes.`,
    codeField: 'Code',
    codeOpen: 'Ouvrir',
    codeAgain: 'Envoyer un autre code',
    codeWrong: 'Le code est erroné ou n’est plus valable. Vérifiez-le ou demandez-en un autre.',
    codeWait: 'Trop de codes ont été demandés. Réessayez dans quelques minutes.',
    uploading: (percent) =>
      `Téléversement en cours${percent}. Les fichiers apparaîtront ici une fois tous arrivés.`,
    paused: (percent, ago) =>
      `Téléversement en pause${percent === null ? '' : ` à ${percent}`}, dernière activité ` +
      `${ago}. Les fichiers apparaîtront ici une fois tous arrivés.`,
    abandoned: (owner) =>
      `${owner || 'La personne qui vous a envoyé le lien'} n’a pas terminé ce téléversement, et ` +
      'rien n’est arrivé depuis un jour. Demandez de nouveau les fichiers.',
    openAgain: 'Sans JavaScript, rouvrez ce lien plus tard.',
    notFound: {
      title: 'Lien introuvable',
      text:
        'Le lien est peut-être incomplet, ou ses fichiers ont été supprimés. ' +
        'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    expired: {
      title: 'Ce partage a pris fin',
      text: (owner) => `Demandez à ${owner || sender} de partager de nouveau les fichiers.`,
    },
    usedUp: {
      title: 'Limite de téléchargements atteinte',
      text: (owner) =>
        `Demandez un nouveau lien à ${owner || 'la personne qui vous a envoyé celui-ci'}.`,
    },
  },
  request: {
    untitled: 'Fichiers',
    asks: (owner) => `${owner} vous demande`,
    locked: 'Saisissez le mot de passe pour envoyer des fichiers.',
    needsScript: 'Pour envoyer des fichiers, il faut JavaScript ou l’API.',
    unlockNeedsScript: 'Pour déverrouiller, il faut JavaScript ou l’API.',
    notFound: {
      title: 'Lien introuvable',
      text:
        'Le lien est peut-être incomplet, ou il a été supprimé. ' +
        'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    isClosed: 'Cette demande est fermée',
    expired: (day, owner) => `Elle est fermée depuis le ${day}. ${ask(owner)}`,
    closed: (day, owner) =>
      `Un seul dépôt était possible, et il a été effectué le ${day}. ` + ask(owner),
  },
  notFound: {
    title: 'Page introuvable',
    text: 'L’adresse est peut-être incomplète, ou ce qui était ici a été supprimé.',
    home: 'Aller à l’accueil',
  },
  notSetUp: {
    title: 'Pas encore configuré',
    how:
      'Ce service n’a pas d’administrateur. Ouvrez le lien d’installation qui figure dans le ' +
      'journal du serveur pour en créer un.',
    command: 'Il se trouve sur la ligne qui commence par « setup: ». Pour la trouver :',
    afterwards: 'Ensuite, rechargez cette page pour vous connecter.',
    again: 'Recharger',
  },
  home: { title: 'Bienvenue', signIn: 'Se connecter' },
  app: { send: 'Envoyer des fichiers', requests: 'Demandes de fichiers' },
  footer: { imprint: 'Mentions légales', privacy: 'Confidentialité' },
  unloaded: {
    title: 'Cette page ne s’est pas chargée entièrement',
    action: 'Charger à nouveau',
  },
}
