//! Rigs of modelling tools and engines.

use super::check;

#[test]
fn mixamo() {
    check(
        "
mixamorig:Hips = Hips
  mixamorig:Spine = Spine
    mixamorig:Spine1 = Chest
      mixamorig:Spine2 = UpperChest
        mixamorig:Neck = Neck
          mixamorig:Head = Head
            mixamorig:HeadTop_End
            mixamorig:{Left/Right}Eye = *Eye
        mixamorig:{Left/Right}Shoulder = *Shoulder
          mixamorig:{Left/Right}Arm = *UpperArm
            mixamorig:{Left/Right}ForeArm = *LowerArm
              mixamorig:{Left/Right}Hand = *Hand
                mixamorig:{Left/Right}HandThumb1 = *ThumbProximal
                  mixamorig:{Left/Right}HandThumb2 = *ThumbIntermediate
                    mixamorig:{Left/Right}HandThumb3 = *ThumbDistal
                      mixamorig:{Left/Right}HandThumb4
                mixamorig:{Left/Right}HandIndex1 = *IndexProximal
                  mixamorig:{Left/Right}HandIndex2 = *IndexIntermediate
                    mixamorig:{Left/Right}HandIndex3 = *IndexDistal
                      mixamorig:{Left/Right}HandIndex4
  mixamorig:{Left/Right}UpLeg = *UpperLeg
    mixamorig:{Left/Right}Leg = *LowerLeg
      mixamorig:{Left/Right}Foot = *Foot
        mixamorig:{Left/Right}ToeBase = *Toes
          mixamorig:{Left/Right}Toe_End
",
    );
}

#[test]
fn unreal_mannequin_with_twists_and_ik_bones() {
    check(
        "
root
  pelvis = Hips
    spine_01 = Spine
      spine_02
        spine_03 = Chest
          spine_04
            spine_05 = UpperChest
              neck_01 = Neck
                neck_02
                  head = Head
              clavicle_{l/r} = *Shoulder
                clavicle_out_{l/r}
                upperarm_{l/r} = *UpperArm
                  upperarm_twist_01_{l/r}
                  upperarm_correctiveRoot_{l/r}
                  lowerarm_{l/r} = *LowerArm
                    lowerarm_twist_01_{l/r}
                    hand_{l/r} = *Hand
                      index_metacarpal_{l/r}
                        index_01_{l/r} = *IndexProximal
                          index_02_{l/r} = *IndexIntermediate
                            index_03_{l/r} = *IndexDistal
                      thumb_01_{l/r} = *ThumbProximal
                        thumb_02_{l/r} = *ThumbIntermediate
                          thumb_03_{l/r} = *ThumbDistal
    thigh_{l/r} = *UpperLeg
      thigh_twist_01_{l/r}
      calf_{l/r} = *LowerLeg
        calf_twist_02_{l/r}
        foot_{l/r} = *Foot
          ball_{l/r} = *Toes
  ik_foot_root
    ik_foot_l
    ik_foot_r
  ik_hand_root
    ik_hand_gun
      ik_hand_l
      ik_hand_r
  interaction
  center_of_mass
",
    );
}

#[test]
fn vroid() {
    check(
        "
Root
  J_Bip_C_Hips = Hips
    J_Bip_C_Spine = Spine
      J_Bip_C_Chest = Chest
        J_Bip_C_UpperChest = UpperChest
          J_Sec_L_Bust1
            J_Sec_L_Bust2
          J_Sec_R_Bust1
            J_Sec_R_Bust2
          J_Bip_C_Neck = Neck
            J_Bip_C_Head = Head
              J_Adj_{L/R}_FaceEye = *Eye
              J_Sec_Hair1_01
                J_Sec_Hair2_01
          J_Bip_{L/R}_Shoulder = *Shoulder
            J_Bip_{L/R}_UpperArm = *UpperArm
              J_Bip_{L/R}_LowerArm = *LowerArm
                J_Bip_{L/R}_Hand = *Hand
                  J_Bip_{L/R}_Little1 = *LittleProximal
                    J_Bip_{L/R}_Little2 = *LittleIntermediate
                      J_Bip_{L/R}_Little3 = *LittleDistal
    J_Bip_{L/R}_UpperLeg = *UpperLeg
      J_Bip_{L/R}_LowerLeg = *LowerLeg
        J_Bip_{L/R}_Foot = *Foot
          J_Bip_{L/R}_ToeBase = *Toes
    J_Sec_L_SkirtBack0_01
      J_Sec_L_SkirtBack1_01
    J_Sec_R_SkirtBack0_01
      J_Sec_R_SkirtBack1_01
",
    );
}

#[test]
fn max_biped_with_thighs_from_the_spine() {
    check(
        "
Bip01
  Bip01 Footsteps
  Bip01 Pelvis = Hips
    Bip01 Spine = Spine
      Bip01 {L/R} Thigh = *UpperLeg
        Bip01 {L/R} Calf = *LowerLeg
          Bip01 {L/R} Foot = *Foot
            Bip01 {L/R} Toe0 = *Toes
              Bip01 {L/R} Toe0Nub
      Bip01 Spine1 = Chest
        Bip01 Neck = Neck
          Bip01 Head = Head
            Bip01 HeadNub
          Bip01 {L/R} Clavicle = *Shoulder
            Bip01 {L/R} UpperArm = *UpperArm
              Bip01 {L/R} ForeTwist
              Bip01 {L/R} Forearm = *LowerArm
                Bip01 {L/R} Hand = *Hand
                  Bip01 {L/R} Finger0 = *ThumbProximal
                    Bip01 {L/R} Finger01 = *ThumbIntermediate
                      Bip01 {L/R} Finger02 = *ThumbDistal
                        Bip01 {L/R} Finger0Nub
                  Bip01 {L/R} Finger1 = *IndexProximal
                    Bip01 {L/R} Finger11 = *IndexIntermediate
                      Bip01 {L/R} Finger12 = *IndexDistal
                        Bip01 {L/R} Finger1Nub
",
    );
}

#[test]
fn valve() {
    check(
        "
ValveBiped.Bip01_Pelvis = Hips
  ValveBiped.Bip01_Spine = Spine
    ValveBiped.Bip01_Spine1
      ValveBiped.Bip01_Spine2 = Chest
        ValveBiped.Bip01_Spine4 = UpperChest
          ValveBiped.Bip01_Neck1 = Neck
            ValveBiped.Bip01_Head1 = Head
              ValveBiped.forward
          ValveBiped.Bip01_{L/R}_Clavicle = *Shoulder
            ValveBiped.Bip01_{L/R}_UpperArm = *UpperArm
              ValveBiped.Bip01_{L/R}_Forearm = *LowerArm
                ValveBiped.Bip01_{L/R}_Hand = *Hand
                  ValveBiped.Anim_Attachment_{L/R}H
  ValveBiped.Bip01_{L/R}_Thigh = *UpperLeg
    ValveBiped.Bip01_{L/R}_Calf = *LowerLeg
      ValveBiped.Bip01_{L/R}_Foot = *Foot
        ValveBiped.Bip01_{L/R}_Toe0 = *Toes
",
    );
}

#[test]
fn rigify_deforming_bones() {
    check(
        "
root
  DEF-spine = Hips
    DEF-pelvis.L
    DEF-pelvis.R
    DEF-thigh.{L/R} = *UpperLeg
      DEF-thigh.{L/R}.001
        DEF-shin.{L/R} = *LowerLeg
          DEF-shin.{L/R}.001
            DEF-foot.{L/R} = *Foot
              DEF-toe.{L/R} = *Toes
    DEF-spine.001 = Spine
      DEF-spine.002 = Chest
        DEF-spine.003 = UpperChest
          DEF-spine.004 = Neck
            DEF-spine.005
              DEF-spine.006 = Head
                DEF-forehead.L
                DEF-forehead.R
                DEF-jaw = Jaw
          DEF-breast.L
          DEF-breast.R
          DEF-shoulder.{L/R} = *Shoulder
            DEF-upper_arm.{L/R} = *UpperArm
              DEF-upper_arm.{L/R}.001
                DEF-forearm.{L/R} = *LowerArm
                  DEF-forearm.{L/R}.001
                    DEF-hand.{L/R} = *Hand
                      DEF-palm.01.{L/R}
                        DEF-f_index.01.{L/R} = *IndexProximal
                          DEF-f_index.02.{L/R} = *IndexIntermediate
                            DEF-f_index.03.{L/R} = *IndexDistal
                        DEF-thumb.01.{L/R} = *ThumbProximal
                          DEF-thumb.02.{L/R} = *ThumbIntermediate
                            DEF-thumb.03.{L/R} = *ThumbDistal
",
    );
}

#[test]
fn rigify_template() {
    check(
        "
spine = Hips
  spine.001 = Spine
    spine.002 = Chest
      spine.003 = UpperChest
        spine.004 = Neck
          spine.005
            spine.006 = Head
        shoulder.{L/R} = *Shoulder
          upper_arm.{L/R} = *UpperArm
            forearm.{L/R} = *LowerArm
              hand.{L/R} = *Hand
        breast.L
        breast.R
  pelvis.L
  pelvis.R
  thigh.{L/R} = *UpperLeg
    shin.{L/R} = *LowerLeg
      foot.{L/R} = *Foot
        toe.{L/R} = *Toes
        heel.02.{L/R}
",
    );
}

#[test]
fn poser_and_daz() {
    check(
        "
hip = Hips
  abdomen = Spine
    chest = Chest
      neck = Neck
        head = Head
          {l/r}Eye = *Eye
      {l/r}Collar = *Shoulder
        {l/r}Shldr = *UpperArm
          {l/r}ForeArm = *LowerArm
            {l/r}Hand = *Hand
              {l/r}Thumb1 = *ThumbProximal
                {l/r}Thumb2 = *ThumbIntermediate
                  {l/r}Thumb3 = *ThumbDistal
  {l/r}Buttock
    {l/r}Thigh = *UpperLeg
      {l/r}Shin = *LowerLeg
        {l/r}Foot = *Foot
          {l/r}Toe = *Toes
",
    );
    check(
        "
hip = Hips
  pelvis
    {l/r}ThighBend = *UpperLeg
      {l/r}ThighTwist
        {l/r}Shin = *LowerLeg
          {l/r}Foot = *Foot
            {l/r}Metatarsals
              {l/r}Toe = *Toes
                {l/r}BigToe
                {l/r}SmallToe1
            {l/r}Heel
  abdomenLower = Spine
    abdomenUpper
      chestLower = Chest
        chestUpper = UpperChest
          neckLower = Neck
            neckUpper
              head = Head
                upperTeeth
                lowerJaw = Jaw
                  tongue01
                {l/r}Eye = *Eye
                {l/r}Ear
          {l/r}Collar = *Shoulder
            {l/r}ShldrBend = *UpperArm
              {l/r}ShldrTwist
                {l/r}ForearmBend = *LowerArm
                  {l/r}ForearmTwist
                    {l/r}Hand = *Hand
                      {l/r}Carpal1
                        {l/r}Index1 = *IndexProximal
                          {l/r}Index2 = *IndexIntermediate
                            {l/r}Index3 = *IndexDistal
        {l/r}Pectoral
",
    );
}

#[test]
fn mmd_in_japanese() {
    check(
        "
全ての親
  センター
    グルーブ
      腰 = Hips
        上半身 = Spine
          上半身2 = Chest
            首 = Neck
              頭 = Head
                両目
                {左/右}目 = *Eye
            {左/右}肩 = *Shoulder
              {左/右}腕 = *UpperArm
                {左/右}腕捩
                  {左/右}ひじ = *LowerArm
                    {左/右}手捩
                      {左/右}手首 = *Hand
                        {左/右}親指０ = *ThumbProximal
                          {左/右}親指１ = *ThumbIntermediate
                            {左/右}親指２ = *ThumbDistal
                        {左/右}人指１ = *IndexProximal
                          {左/右}人指２ = *IndexIntermediate
                            {左/右}人指３ = *IndexDistal
        下半身
          {左/右}足 = *UpperLeg
            {左/右}ひざ = *LowerLeg
              {左/右}足首 = *Foot
                {左/右}つま先 = *Toes
          {左/右}足D
            {左/右}ひざD
              {左/右}足首D
  {左/右}足ＩＫ
    {左/右}つま先ＩＫ
",
    );
}
